/** The bin's name; it stands in the sidebar that everybody loads, apart from the words behind it. */
export const BIN_LABEL = 'Lixeira';
