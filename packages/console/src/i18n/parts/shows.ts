/** Texts around what mini-tools show: their own texts come with it. */
export const shows = {
  en: {
    fromMinitool: 'From the mini-tool “{name}” ({id})',
    minitoolMessages: 'Messages of mini-tools',
    dismissShow: 'Dismiss',
    showOk: 'OK',
    showConfirm: 'Confirm',
    hushMinitool: 'Show no more of it here',
    hushMinitoolHint: 'Until this page is loaded again. Others still see it.',
  },
  zh: {
    fromMinitool: '来自小工具“{name}”（{id}）',
    minitoolMessages: '小工具的消息',
    dismissShow: '忽略',
    showOk: '好',
    showConfirm: '确认',
    hushMinitool: '不再在此显示它的内容',
    hushMinitoolHint: '直到重新加载此页面。其他人仍会看到。',
  },
} as const;
