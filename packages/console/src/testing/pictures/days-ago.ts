/** Loaded before the server: it lives so many days ago (`DAYS_AGO`), so that what the pictures show has a history. */
const behind = Number(process.env['DAYS_AGO'] ?? 0) * 86_400_000;
const now = Date.now.bind(Date);
Date.now = () => now() - behind;
