/** What the page and the script say where there is no chat yet. */
export const embedTexts = {
  en: {
    open: 'Open the chat',
    close: 'Close the chat',
    title: 'Chat',
    noToken: 'This page needs a link that was made for you. Go back to the page that you came from and open the chat again.',
    unknownToken: 'This link is not valid any more, or it was mistyped. Go back to the page that you came from and open the chat again.',
    wrongToken: 'This is no link to a chat.',
    unreachable: 'The server cannot be reached.',
    retry: 'Try again',
  },
  zh: {
    open: '打开对话',
    close: '关闭对话',
    title: '对话',
    noToken: '此页面需要为您生成的链接。请返回原来的页面重新打开对话。',
    unknownToken: '此链接已失效或输入有误。请返回原来的页面重新打开对话。',
    wrongToken: '这不是对话的链接。',
    unreachable: '无法连接服务器。',
    retry: '重试',
  },
} as const;
