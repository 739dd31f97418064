import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compress } from './scripts/compress.ts';
import { embedScript } from './scripts/embed-script.ts';

/** `TURNKEEPER_URL`: the server that `npm run dev` talks to. */
const server = process.env['TURNKEEPER_URL'] ?? 'http://127.0.0.1:4747';
const page = (name: string): string => fileURLToPath(new URL(`./${name}.html`, import.meta.url));
const leftOut = (name: string): string => fileURLToPath(new URL(`./src/left-out/${name}.ts`, import.meta.url));

export default defineConfig({
  plugins: [react(), tailwindcss(), compress(), embedScript()],
  // What the page carries but never uses; each file says why it may be missing.
  resolve: { alias: { zod: leftOut('no-schemas'), 'rehype-raw': leftOut('no-raw-html'), 'tailwind-merge': leftOut('no-class-merge') } },
  build: {
    outDir: 'dist',
    target: 'es2023',
    // The console, and the chat that other pages embed.
    rolldownOptions: { input: [page('index'), page('chat')] },
    // Small files become data: URLs otherwise, which a strict CSP refuses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 500,
  },
  server: { host: '127.0.0.1', proxy: { '/api': server } },
});
