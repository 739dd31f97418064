/** What `demo:welcome` says, in its two languages. */

export type Language = 'en' | 'zh';

/** Chinese when the message holds Chinese characters, else English. */
export const languageOf = (text: string): Language => (/\p{Script=Han}/u.test(text) ? 'zh' : 'en');

export type Topic = 'greeting' | 'help' | 'thanks' | 'long' | 'time' | 'arithmetic' | 'other';

/** Cut to a line that can be quoted. */
export type Quote = string;

type Texts = {
  readonly topics: Readonly<Record<Topic, (quote: Quote) => string>>;
  /** Before the tools are called. */
  readonly calling: string;
  readonly result: (tool: string, text: string) => string;
  readonly time: (text: string) => string;
  readonly calculator: (expression: string, text: string) => string;
  readonly failed: (tool: string, text: string) => string;
  readonly anythingElse: string;
};

const en: Texts = {
  topics: {
    greeting: () =>
      'Hello, and welcome! 👋 I am the demo agent: a small scripted model that needs no key, so you can try everything here before you connect a real one. ' +
      'Ask me what time it is, or give me a sum such as 12 × 7. You can also queue a second message while I am still talking, stop me, or reload the page in mid-answer.',
    help: () =>
      'Gladly. Here is what you can try with me:\n\n' +
      '- **Tools**: "What time is it?" or "How much is (3 + 4) × 12?"\n' +
      '- **Long answers**: "Tell me a long story", then stop me, or reload the page and watch the answer go on.\n' +
      '- **The queue**: send a second message while I am still answering; it waits its turn.\n' +
      '- **The tour**: "Show me around", half a minute to reload, stop or kill the server in.\n\n' +
      'I only follow a script. For real answers connect a model: set `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `GOOGLE_GENERATIVE_AI_API_KEY` ' +
      'or `OPENAI_COMPATIBLE_BASE_URL`, restart the server, and choose the model in your agent.',
    thanks: () => 'You are welcome! 😊 I am here whenever you want to try something else.',
    long: () =>
      'Here is a little story, long enough to play with.\n\n' +
      'Once there was a lighthouse keeper who wrote everything down. Each ship that passed, each lamp that was lit, each question from the harbour went into a thick book, ' +
      'and only when the ink was dry did the keeper call the answer down the stairs. People laughed at this. It seemed slow, and the sea was quiet.\n\n' +
      'Then came the night of the great storm. The lamp went out, the keeper fell asleep from weariness, and in the morning nobody remembered what had been promised to whom. ' +
      'But the book remembered. The new keeper opened it, read the last page, and saw at once what was owed: two ships to be guided in, one letter to be answered, one lamp to be lit again. ' +
      'Nothing was done twice, and nothing was forgotten.\n\n' +
      'Since that day no one laughs at the book. And if you reload this page while I am talking, you will see that it still works.',
    time: () => 'I would look at the clock for you, but this agent was not given the `time` tool. Add it to the agent and ask me again.',
    arithmetic: () => 'I would work that out for you, but this agent was not given the `calculator` tool. Add it to the agent and ask me again.',
    other: (quote) =>
      `You wrote: “${quote}”. Thank you! I am only a scripted demo agent, so I cannot really think about that, but everything around me is real: ` +
      'the session is stored, the answer is streamed, and your message would survive a restart. Ask me for the time, give me a sum such as 12 × 7, or say “help” to see more.',
  },
  calling: 'Let me check that for you. ',
  result: (tool, text) => `The tool \`${tool}\` answered: ${text}`,
  time: (text) => `The time is ${text}.`,
  calculator: (expression, text) => `${expression} = **${text}**.`,
  failed: (tool, text) => `The tool \`${tool}\` could not do it: ${text}`,
  anythingElse: 'Is there anything else I can do for you?',
};

const zh: Texts = {
  topics: {
    greeting: () =>
      '你好，欢迎！👋 我是演示助手：一个按脚本回答的小模型，不需要任何密钥，你可以先体验全部功能，再接入真正的模型。' +
      '你可以问我现在几点，或者给我一道算式，比如 12 × 7。在我说话的时候，你也可以再发一条消息排队、让我停下，或者刷新页面。',
    help: () =>
      '很乐意。你可以这样试试：\n\n' +
      '- **工具**：“现在几点？”或者“(3 + 4) × 12 等于多少？”\n' +
      '- **长回答**：“讲一个长故事”，然后让我停下，或者刷新页面，看回答如何继续。\n' +
      '- **排队**：在我回答的时候再发一条消息，它会按顺序等待。\n' +
      '- **导览**：“带我看看”，半分钟的时间，足够你刷新、停止，或者杀掉服务进程。\n\n' +
      '我只会按脚本说话。想得到真正的回答，请接入模型：设置 `OPENAI_API_KEY`、`ANTHROPIC_API_KEY`、`GOOGLE_GENERATIVE_AI_API_KEY` ' +
      '或 `OPENAI_COMPATIBLE_BASE_URL`，重启服务，然后在智能体里选择该模型。',
    thanks: () => '不客气！😊 想再试点别的，随时告诉我。',
    long: () =>
      '给你讲一个小故事，长度正好够你试试各种操作。\n\n' +
      '从前有一位守灯塔的人，什么都要记下来。每一艘经过的船、每一盏点亮的灯、港口传来的每一个问题，都写进一本厚厚的册子；等墨迹干了，他才把回答喊下楼去。' +
      '大家都笑他太慢，反正海面风平浪静。\n\n' +
      '后来，暴风雨之夜来了。灯灭了，守灯人累得睡着了，第二天早上，谁也不记得答应过谁什么。可是册子记得。新来的守灯人翻到最后一页，立刻看清了还欠着什么：' +
      '要领两艘船进港，要回一封信，要重新点亮一盏灯。没有一件事做了两遍，也没有一件事被忘记。\n\n' +
      '从那以后，再也没有人笑那本册子了。如果你现在刷新页面，就会看到它依然有效。',
    time: () => '我很想帮你看看时间，可是这个智能体没有配置 `time` 工具。请把它加到智能体里，再问我一次。',
    arithmetic: () => '我很想帮你算一算，可是这个智能体没有配置 `calculator` 工具。请把它加到智能体里，再问我一次。',
    other: (quote) =>
      `你说：“${quote}”。谢谢你！我只是一个按脚本说话的演示助手，没法真正思考这个问题，但我周围的一切都是真的：会话已经保存，回答在流式传输，` +
      '就算服务重启，你的消息也不会丢。你可以问我现在几点，给我一道算式，比如 12 × 7，或者说“帮助”了解更多。',
  },
  calling: '我来帮你看一下。',
  result: (tool, text) => `工具 \`${tool}\` 的回答是：${text}`,
  time: (text) => `现在的时间是 ${text}。`,
  calculator: (expression, text) => `${expression} = **${text}**。`,
  failed: (tool, text) => `工具 \`${tool}\` 没能完成：${text}`,
  anythingElse: '还有什么可以帮你的吗？',
};

export const textsIn = (language: Language): Texts => {
  switch (language) {
    case 'en':
      return en;
    case 'zh':
      return zh;
  }
};
