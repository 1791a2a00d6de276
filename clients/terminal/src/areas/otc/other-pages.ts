/** The smaller pages in one file: the first script of every page names each file of the build. */
export { MerchantsPage } from './merchants-page.tsx';
export { MethodsPage } from './methods-page.tsx';
export { OrdersPage } from './orders-page.tsx';
export { OwnAdvertisementsPage } from './own-advertisements-page.tsx';
export { TraderPage } from './trader-page.tsx';
