/**
 * What `demo:welcome` says on its tour, in its two languages: a section before each tool call, and one after the last.
 * Of a call it speaks only where it makes one: an agent without the tool is told that instead.
 *
 * Only of what the product does today, and what one can try while it is being said.
 */
import type { Language } from './welcome-texts.ts';

/** The tool that is called behind a section. */
export type TourTool = 'time' | 'calculator';
export type TourCall = {
  readonly tool: TourTool;
  /** Behind the section, before the call. */
  readonly before: string;
  /** At the beginning of the next section. */
  readonly after?: string;
  /** In place of both where the agent was not given the tool. */
  readonly without: string;
};
export type TourSection = { readonly text: string; readonly call?: TourCall };

/**
 * The server that says this, by its process: no path is told. The line stays in a history that outlives the process: it kills
 * nothing else that has come to its number since.
 */
const killLine = (pid: number): string => `\`\`\`sh\nps -o args= -p ${pid} |\n  grep turnkeeper && kill -9 ${pid}\n\`\`\`\n\n`;

/** What the calculator is asked. */
export const tourExpression = '(17 + 25) * 3';

const en = (pid: number): readonly TourSection[] => [
  {
    text:
      '## Welcome to Turnkeeper 👋\n\n' +
      'I am the demo agent. I only follow a script and need no API key, but everything around me is real: the session, the stream, the queue, the tools. ' +
      'So while I talk, please try to break things. That is what this tour is for.\n\n' +
      '**Nothing gets lost.** The message above was on disk before anybody got an answer to it. Every word I say goes to disk as well, a moment before it reaches you, ' +
      'and has its place in one numbered log.\n\n' +
      '**Reload this page, right now.** You see what I have said so far, and then the rest as I say it: no word missing, no word twice. ' +
      'Open the same address in a second tab, or on another screen, and both show the same.',
    call: {
      tool: 'time',
      before: 'I can use tools, too. Let me look at the clock.',
      after:
        'That was a real tool call. It stands above as a card, with what went in and what came out. A call to a tool that changes something is written down before it is made, ' +
        'so that it is never made a second time on a guess.',
      without:
        'I can use tools, too, and would look at the clock now, but this agent was not given the `time` tool. Add it to the agent to see a real call here.',
    },
  },
  {
    text:
      '**Queue a message.** Write something below and press Enter while I am still talking. It waits its turn and says why; it survives a restart; ' +
      'and it is answered as soon as I am done. One at a time, first in, first out.\n\n' +
      '**Stop me.** Press Esc, or the Stop button. A stop is a promise here: the turn ends as cancelled, once, and what is queued behind it begins. ' +
      'Just say “Show me around” when you want me to start over.',
    call: {
      tool: 'calculator',
      before: 'Now a little arithmetic, with the calculator.',
      without: 'Here I would do a little arithmetic, but this agent was not given the `calculator` tool.',
    },
  },
  {
    text:
      'And now the best part. **Kill the server while I am talking**, without a chance to clean up, and start it again:\n\n' +
      killLine(pid) +
      '(That is its process. Then run once more what you started it with, `npm start` say. After that its number is another one: [Settings](/settings?tab=server) tell it to admins. ' +
      'Where it runs in a container, kill and start the container.)\n\n' +
      'The page notices that the connection is gone, tries again by itself, and **the turn goes on**. What I had said stays where it is, marked as incomplete. ' +
      'The tools that have answered are not called again. Only this last part I say anew: a model call that died is simply made again. ' +
      'Nobody has to press a button, and nobody has to guess how far I had come.\n\n' +
      'Three ways to go on from here:\n\n' +
      '- **In the terminal**: `npx turnkeeper chat` talks to me there, and `npx turnkeeper tail` with the id of a session follows it, wherever it was begun.\n' +
      '- **Over HTTP**: this page uses the public API and nothing else. [The documentation](/docs) lists every call, each with a line to copy.\n' +
      '- **With a real model**: set `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `GOOGLE_GENERATIVE_AI_API_KEY` or `OPENAI_COMPATIBLE_BASE_URL`, ' +
      'start the server again, and choose the model for your agent.\n\n' +
      'That was the tour. Ask me what time it is, give me a sum such as 12 × 7, or say “help”. I am glad you are here! 🎉',
  },
];

const zh = (pid: number): readonly TourSection[] => [
  {
    text:
      '## 欢迎来到 Turnkeeper 👋\n\n' +
      '我是演示助手。我只会按脚本说话，不需要任何 API 密钥，但我周围的一切都是真的：会话、流式输出、队列、工具。' +
      '所以在我说话的时候，请尽管来捣乱，这正是这次导览的目的。\n\n' +
      '**什么都不会丢。**上面那条消息，在任何人得到答复之前就已经写进了磁盘。我说的每一个字，也都先写进磁盘，再送到你面前，在同一份带编号的日志里有自己的位置。\n\n' +
      '**现在就刷新页面。**你会先看到我已经说过的话，然后接着看到后面的内容：一个字不少，一个字不重复。' +
      '在第二个标签页或另一块屏幕上打开同一个地址，看到的也完全一样。',
    call: {
      tool: 'time',
      before: '我还会使用工具。让我先看看时钟。',
      after:
        '刚才是一次真正的工具调用。它以卡片的形式显示在上面，输入了什么、得到了什么都一清二楚。会改变外部世界的工具，在调用之前先记录在案，' +
        '所以绝不会凭猜测再执行第二次。',
      without: '我还会使用工具，本想现在看看时钟，可是这个智能体没有配置 `time` 工具。把它加到智能体里，就能在这里看到一次真正的调用。',
    },
  },
  {
    text:
      '**排队发消息。**趁我还在说话，在下面写点什么，然后按回车。它会按顺序等待，并说明为什么在等；服务重启也不会丢；' +
      '我一说完，就会马上回答。一次一条，先来先办。\n\n' +
      '**让我停下。**按 Esc 键，或者点“停止”按钮。在这里，停止就是承诺：这一轮以“已取消”结束，只结束一次，排在后面的随即开始。' +
      '想让我重新开始的时候，对我说“带我看看”就行。',
    call: {
      tool: 'calculator',
      before: '现在用计算器做一点算术。',
      without: '这里本想做一点算术，可是这个智能体没有配置 `calculator` 工具。',
    },
  },
  {
    text:
      '最精彩的部分来了。**趁我还在说话，直接杀掉服务进程**，不给它任何收尾的机会，然后重新启动：\n\n' +
      killLine(pid) +
      '（这就是它的进程。然后再次运行当初的启动命令，例如 `npm start`。之后进程号会变，管理员可以在[设置](/settings?tab=server)中查看。' +
      '如果它运行在容器里，就杀掉并重新启动容器。）\n\n' +
      '页面会发现连接断了，自动重连，然后**这一轮继续进行**。我已经说过的话原样保留，并标记为“不完整”；已经给出结果的工具不会再次调用；' +
      '只有这最后一段我会从头再说一遍：中断的模型调用，重新调用就是了。不需要谁来按按钮，也不需要谁来猜我说到了哪里。\n\n' +
      '接下来有三条路可走：\n\n' +
      '- **在终端里**：`npx turnkeeper chat` 可以在那里和我对话；`npx turnkeeper tail` 加上会话编号，可以继续收看任何地方开始的会话。\n' +
      '- **通过 HTTP**：这个页面只使用公开的 API，没有别的后门。[接口文档](/docs)列出了每一个调用，都有可以直接复制的命令。\n' +
      '- **接入真正的模型**：设置 `OPENAI_API_KEY`、`ANTHROPIC_API_KEY`、`GOOGLE_GENERATIVE_AI_API_KEY` 或 `OPENAI_COMPATIBLE_BASE_URL`，' +
      '重新启动服务，然后为你的智能体选择模型。\n\n' +
      '导览到此结束。你可以问我现在几点，给我一道算式，比如 12 × 7，或者说“帮助”。很高兴你来了！🎉',
  },
];

/** `pid`: of the server that says it. */
export const tourIn = (language: Language, pid: number): readonly TourSection[] => {
  switch (language) {
    case 'en':
      return en(pid);
    case 'zh':
      return zh(pid);
  }
};
