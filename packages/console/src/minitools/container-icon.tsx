import type { MinitoolContainer } from '@turnkeeper/core/protocol/wire/minitools';
import {
  Bell,
  Bot,
  Briefcase,
  Calendar,
  Clock,
  Code,
  FileText,
  Folder,
  Globe,
  Inbox,
  ListTodo,
  type LucideIcon,
  Mail,
  MessageCircle,
  MessageSquare,
  MessagesSquare,
  Pencil,
  Phone,
  Search,
  Send,
  Sparkles,
  Star,
  Terminal,
  User,
  Users,
  Workflow,
  Wrench,
  Zap,
} from 'lucide-react';
import { iconOf } from './icon-of.ts';

/** Names that packages use. */
const known: Readonly<Record<string, LucideIcon>> = {
  bell: Bell,
  bot: Bot,
  briefcase: Briefcase,
  calendar: Calendar,
  chat: MessageCircle,
  clock: Clock,
  code: Code,
  'file-text': FileText,
  folder: Folder,
  globe: Globe,
  inbox: Inbox,
  'list-todo': ListTodo,
  mail: Mail,
  'message-circle': MessageCircle,
  'message-square': MessageSquare,
  'messages-square': MessagesSquare,
  pencil: Pencil,
  phone: Phone,
  search: Search,
  send: Send,
  sparkles: Sparkles,
  star: Star,
  terminal: Terminal,
  tool: Wrench,
  user: User,
  users: Users,
  workflow: Workflow,
  wrench: Wrench,
  zap: Zap,
};
const usual: Readonly<Record<MinitoolContainer['mode'], LucideIcon>> = { inbox: Inbox, assistant: MessagesSquare };

/** Beside the container's title, which says the same in words. */
export const ContainerIcon = ({ container: { icon, mode } }: { readonly container: Pick<MinitoolContainer, 'icon' | 'mode'> }) => {
  const shown = iconOf(icon ?? mode);
  switch (shown.kind) {
    case 'picture':
      return <img src={shown.address} alt="" data-icon="picture" className="size-5 shrink-0 object-contain" />;
    case 'shape': {
      const mask = `url("${shown.address}") center / contain no-repeat`;
      return <span aria-hidden data-icon="shape" style={{ mask }} className="size-5 shrink-0 bg-ink-soft" />;
    }
    case 'sign':
      return (
        <span aria-hidden data-icon="sign" className="w-5 shrink-0 text-center text-base leading-5">
          {shown.text}
        </span>
      );
    case 'named': {
      const Icon = (Object.hasOwn(known, shown.name) ? known[shown.name] : undefined) ?? usual[mode];
      return <Icon aria-hidden data-icon={shown.name} className="size-5 shrink-0 text-ink-soft" />;
    }
  }
};
