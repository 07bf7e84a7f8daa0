// The front door of navigation/: what other rooms may use of it.
export { addressOf, type Filters, HOME, type Kind, noteAddress, type Place, placeAt } from "./address.ts";
export { NavigationProvider, useNavigation } from "./navigation-provider.tsx";
