import { createRoot } from 'react-dom/client';
import '@turnkeeper/react/chat.css';
import { readChatAddress, withoutToken } from './chat-address.ts';
import { ChatPage } from './chat-page.tsx';
import './page.css';
import { firstToken } from './page-token.ts';

const address = readChatAddress(location);
// [CA1]
history.replaceState(null, '', withoutToken(location));

const root = document.getElementById('root');
if (root) createRoot(root).render(<ChatPage address={address} token={firstToken(address.token)} />);
