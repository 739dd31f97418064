import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createSignIn, takeTokenFromAddress } from './auth/sign-in.ts';
import { applyLanguage, language } from './preferences/language.ts';
import { applyTheme, theme } from './preferences/theme.ts';
import './styles.css';

const linkToken = takeTokenFromAddress();
applyTheme();
applyLanguage();
theme.subscribe(applyTheme);
language.subscribe(applyLanguage);

const root = document.getElementById('root');
if (root) createRoot(root).render(<App signIn={createSignIn(linkToken)} />);
