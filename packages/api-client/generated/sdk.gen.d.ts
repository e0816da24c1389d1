import type { Client, ClientMeta, Options as Options2, RequestResult, TDataShape } from './client/index.js';
import type { CreateCategoryData, CreateCategoryErrors, CreateCategoryResponses, CreateFolderData, CreateFolderErrors, CreateFolderResponses, CreateLinkData, CreateLinkErrors, CreateLinkResponses, DeleteCategoryData, DeleteCategoryErrors, DeleteCategoryResponses, DeleteFolderData, DeleteFolderErrors, DeleteFolderResponses, DeleteLinkData, DeleteLinkErrors, DeleteLinkResponses, DeleteTagData, DeleteTagErrors, DeleteTagResponses, GetCategoryData, GetCategoryErrors, GetCategoryResponses, GetFolderData, GetFolderErrors, GetFolderResponses, GetLinkData, GetLinkErrors, GetLinkResponses, GetMeData, GetMeErrors, GetMeResponses, ListCategoriesData, ListCategoriesErrors, ListCategoriesResponses, ListFoldersData, ListFoldersErrors, ListFoldersResponses, ListLinksData, ListLinksErrors, ListLinksResponses, ListTagsData, ListTagsErrors, ListTagsResponses, SearchLinksData, SearchLinksErrors, SearchLinksResponses, UpdateCategoryData, UpdateCategoryErrors, UpdateCategoryResponses, UpdateFolderData, UpdateFolderErrors, UpdateFolderResponses, UpdateLinkData, UpdateLinkErrors, UpdateLinkResponses, UpdateTagData, UpdateTagErrors, UpdateTagResponses } from './types.gen.js';
export type Options<TData extends TDataShape = TDataShape, ThrowOnError extends boolean = boolean, TResponse = unknown> = Options2<TData, ThrowOnError, TResponse> & {
    /**
     * You can provide a client instance returned by `createClient()` instead of
     * individual options. This might be also useful if you want to implement a
     * custom client.
     */
    client?: Client;
    /**
     * You can pass arbitrary values through the `meta` object. This can be
     * used to access values that aren't defined as part of the SDK function.
     */
    meta?: keyof ClientMeta extends never ? Record<string, unknown> : ClientMeta;
};
/**
 * Whose token it is, what it may do, and how much there is
 */
export declare const getMe: <ThrowOnError extends boolean = false>(options?: Options<GetMeData, ThrowOnError>) => RequestResult<GetMeResponses, GetMeErrors, ThrowOnError>;
/**
 * List folders by name
 */
export declare const listFolders: <ThrowOnError extends boolean = false>(options?: Options<ListFoldersData, ThrowOnError>) => RequestResult<ListFoldersResponses, ListFoldersErrors, ThrowOnError>;
/**
 * Make a folder
 */
export declare const createFolder: <ThrowOnError extends boolean = false>(options: Options<CreateFolderData, ThrowOnError>) => RequestResult<CreateFolderResponses, CreateFolderErrors, ThrowOnError>;
/**
 * Put a folder into the bin
 *
 * With its categories and links. The person brings all of it back within thirty days.
 */
export declare const deleteFolder: <ThrowOnError extends boolean = false>(options: Options<DeleteFolderData, ThrowOnError>) => RequestResult<DeleteFolderResponses, DeleteFolderErrors, ThrowOnError>;
/**
 * Read a folder
 */
export declare const getFolder: <ThrowOnError extends boolean = false>(options: Options<GetFolderData, ThrowOnError>) => RequestResult<GetFolderResponses, GetFolderErrors, ThrowOnError>;
/**
 * Rename a folder
 */
export declare const updateFolder: <ThrowOnError extends boolean = false>(options: Options<UpdateFolderData, ThrowOnError>) => RequestResult<UpdateFolderResponses, UpdateFolderErrors, ThrowOnError>;
/**
 * List categories by name
 *
 * The person’s own; with shared=true those in folders that others share with them, which say whose they are and whether the person may write there.
 */
export declare const listCategories: <ThrowOnError extends boolean = false>(options?: Options<ListCategoriesData, ThrowOnError>) => RequestResult<ListCategoriesResponses, ListCategoriesErrors, ThrowOnError>;
/**
 * Make a category
 *
 * Private, until the person shares it in the app. In a shared folder, where the person may write there, it is the owner’s and seen by all members.
 */
export declare const createCategory: <ThrowOnError extends boolean = false>(options: Options<CreateCategoryData, ThrowOnError>) => RequestResult<CreateCategoryResponses, CreateCategoryErrors, ThrowOnError>;
/**
 * Put a category into the bin
 *
 * With its links. The person brings all of it back within thirty days.
 */
export declare const deleteCategory: <ThrowOnError extends boolean = false>(options: Options<DeleteCategoryData, ThrowOnError>) => RequestResult<DeleteCategoryResponses, DeleteCategoryErrors, ThrowOnError>;
/**
 * Read a category
 */
export declare const getCategory: <ThrowOnError extends boolean = false>(options: Options<GetCategoryData, ThrowOnError>) => RequestResult<GetCategoryResponses, GetCategoryErrors, ThrowOnError>;
/**
 * Change or move a category
 *
 * What is left out stays as it is. Name and description of a category in a shared folder are changed by whoever may write there; its owner alone moves it.
 */
export declare const updateCategory: <ThrowOnError extends boolean = false>(options: Options<UpdateCategoryData, ThrowOnError>) => RequestResult<UpdateCategoryResponses, UpdateCategoryErrors, ThrowOnError>;
/**
 * List links, newest first
 *
 * All of the person’s own links; with category_id those of a category, which may be one that somebody shares with the person; with url those of the person’s that have this address, however it is spelt.
 */
export declare const listLinks: <ThrowOnError extends boolean = false>(options?: Options<ListLinksData, ThrowOnError>) => RequestResult<ListLinksResponses, ListLinksErrors, ThrowOnError>;
/**
 * Save a link
 *
 * Into the inbox where no category is named; into a category of a shared folder where the person may write: the link is its owner’s then. Without a title it is called by its host; no page is opened. The same address may be saved twice: ask GET /links?url= first.
 */
export declare const createLink: <ThrowOnError extends boolean = false>(options: Options<CreateLinkData, ThrowOnError>) => RequestResult<CreateLinkResponses, CreateLinkErrors, ThrowOnError>;
/**
 * Put a link into the bin
 *
 * From where the person brings it back within thirty days. A link of a shared folder lies in the bin of its owner.
 */
export declare const deleteLink: <ThrowOnError extends boolean = false>(options: Options<DeleteLinkData, ThrowOnError>) => RequestResult<DeleteLinkResponses, DeleteLinkErrors, ThrowOnError>;
/**
 * Read a link
 */
export declare const getLink: <ThrowOnError extends boolean = false>(options: Options<GetLinkData, ThrowOnError>) => RequestResult<GetLinkResponses, GetLinkErrors, ThrowOnError>;
/**
 * Change, move or tag a link
 *
 * What is left out stays as it is. tags replaces all tags of the link. A link of a shared folder is changed by whoever may write there, moves within what its owner shares, and gets tags of its owner.
 */
export declare const updateLink: <ThrowOnError extends boolean = false>(options: Options<UpdateLinkData, ThrowOnError>) => RequestResult<UpdateLinkResponses, UpdateLinkErrors, ThrowOnError>;
/**
 * List tags in alphabetical order
 *
 * Tags are made by giving them to links. The links of one: GET /search?q=tag:NAME.
 */
export declare const listTags: <ThrowOnError extends boolean = false>(options?: Options<ListTagsData, ThrowOnError>) => RequestResult<ListTagsResponses, ListTagsErrors, ThrowOnError>;
/**
 * Delete a tag
 *
 * Links lose it; they stay.
 */
export declare const deleteTag: <ThrowOnError extends boolean = false>(options: Options<DeleteTagData, ThrowOnError>) => RequestResult<DeleteTagResponses, DeleteTagErrors, ThrowOnError>;
/**
 * Rename a tag
 */
export declare const updateTag: <ThrowOnError extends boolean = false>(options: Options<UpdateTagData, ThrowOnError>) => RequestResult<UpdateTagResponses, UpdateTagErrors, ThrowOnError>;
/**
 * Search links, best first
 *
 * Words are looked for in title, address and description, without regard to case and accents; all of them must occur. Operators narrow the search, alone or beside words: pasta:NAME (folder), em:NAME (category), tag:NAME, site:HOST, tipo:video|pdf|imagem, antes:DATE and depois:DATE (2024, 05/2024 or 31/05/2024; days of America/Sao_Paulo), e:favorito, e:quebrado (broken links), sem:tag, de:NAME (only what that person shares with this one). Names with blanks stand in quotation marks: pasta:"Minhas receitas". Pages of 25.
 */
export declare const searchLinks: <ThrowOnError extends boolean = false>(options: Options<SearchLinksData, ThrowOnError>) => RequestResult<SearchLinksResponses, SearchLinksErrors, ThrowOnError>;
