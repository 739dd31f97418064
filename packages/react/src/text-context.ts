import { createContext, useContext } from 'react';
import { type ChatText, chatText } from './texts.ts';

export const TextContext = createContext<ChatText>(chatText('en'));
export const useChatText = (): ChatText => useContext(TextContext);
