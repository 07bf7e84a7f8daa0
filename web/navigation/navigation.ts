// The front door of navigation/: addresses of the page, the route that is shown,
// and how to get to another one.
export {
  addressOf,
  anchorOf,
  CONVERSATIONS,
  CURRENT_OUTLINE,
  decodeText,
  encodePath,
  noteAddress,
  routeAt,
  SEARCH,
  TODAY,
  VAULT,
  vaultAt,
  type ConversationFilters,
  type Filters,
  type Kind,
  type Route,
  type RouteTo,
} from "./address.ts";
export { NavigationProvider, useNavigation } from "./navigation-provider.tsx";
