import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `TURNKEEPER_URL`: the server that `npm run dev` talks to. */
const server = process.env['TURNKEEPER_URL'] ?? 'http://127.0.0.1:4747';

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    // Small files become data: URLs otherwise, which a strict CSP refuses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 400,
  },
  server: { host: '127.0.0.1', proxy: { '/api': server } },
});
