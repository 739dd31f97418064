/** Builds `embed.js` beside the page: a classic script of one file, under a name that never changes, for pages of other sites. */
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'vite';

export const embedScript = (): Plugin => {
  let [root, outDir] = ['', ''];
  return {
    name: 'embed-script',
    apply: 'build',
    configResolved: (config) => {
      root = config.root;
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle: async () => {
      await build({
        configFile: false,
        root,
        logLevel: 'warn',
        publicDir: false,
        build: {
          outDir,
          emptyOutDir: false,
          target: 'es2022',
          lib: { entry: join(root, 'src', 'embed', 'embed.ts'), formats: ['iife'], name: 'Turnkeeper', fileName: () => 'embed.js' },
        },
      });
    },
  };
};
