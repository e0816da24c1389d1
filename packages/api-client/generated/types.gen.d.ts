export type ClientOptions = {
    baseUrl: 'https://linkoteca.example/api/v1' | (string & {});
};
export type Webhooks = PostLinkCreatedWebhookRequest | PostLinkUpdatedWebhookRequest | PostLinkDeletedWebhookRequest | PostCategorySharedWebhookRequest | PostWebhookTestWebhookRequest;
/**
 * Link
 */
export type Link = {
    /**
     * Never changes.
     */
    id: string;
    /**
     * http or https.
     */
    url: string;
    /**
     * One line.
     */
    title: string;
    description: string | null;
    /**
     * Where it lies. Links lie in categories, never in folders.
     */
    category_id: string;
    /**
     * false: somebody else shares it with the person.
     */
    is_own: boolean;
    /**
     * Names, in alphabetical order.
     */
    tags: Array<string>;
    /**
     * When it was saved. UTC, to the microsecond.
     */
    created_at: string;
    /**
     * When it was last changed. UTC, to the microsecond.
     */
    updated_at: string;
};
/**
 * Folder
 */
export type Folder = {
    /**
     * Never changes.
     */
    id: string;
    /**
     * One line; no other folder of the person has the same.
     */
    name: string;
    /**
     * When it was made. UTC, to the microsecond.
     */
    created_at: string;
    /**
     * When it was last changed. UTC, to the microsecond.
     */
    updated_at: string;
};
/**
 * Category
 */
export type Category = {
    /**
     * Never changes.
     */
    id: string;
    /**
     * The folder in which it lies.
     */
    folder_id: string;
    /**
     * One line.
     */
    name: string;
    description: string | null;
    /**
     * Whether everybody may see it. Changed in the app alone.
     */
    is_public: boolean;
    /**
     * Whether links are saved here that name no category.
     */
    is_inbox: boolean;
    /**
     * Links in it.
     */
    link_count: number;
    /**
     * When it was made. UTC, to the microsecond.
     */
    created_at: string;
    /**
     * When it was last changed. UTC, to the microsecond.
     */
    updated_at: string;
    /**
     * Only where it lies in a folder that somebody shares with the person.
     */
    shared?: {
        /**
         * Of the folder that is shared.
         */
        folder_name: string;
        /**
         * Of the person whose folder it is.
         */
        owner_name: string | null;
        /**
         * Whether links may be saved and changed in it now.
         */
        may_write: boolean;
    };
};
/**
 * Tag
 */
export type Tag = {
    /**
     * Never changes.
     */
    id: string;
    /**
     * Neither case nor accents tell tags apart.
     */
    name: string;
    color: string | null;
    /**
     * Links that have it.
     */
    link_count: number;
    /**
     * When it was first used. UTC, to the microsecond.
     */
    created_at: string;
};
/**
 * Me
 */
export type Me = {
    /**
     * Of the person whose token it is.
     */
    id: string;
    /**
     * What the token may do.
     */
    access: {
        read: boolean;
        write: boolean;
        share: boolean;
    };
    counts: {
        /**
         * Folders of the person.
         */
        folders: number;
        /**
         * Categories of the person.
         */
        categories: number;
        /**
         * Links of the person.
         */
        links: number;
    };
};
/**
 * Problem
 *
 * RFC 9457.
 */
export type Problem = {
    /**
     * Where the problem is described.
     */
    type: string;
    /**
     * Never changes for a code.
     */
    title: string;
    status: number;
    /**
     * For the person, in Portuguese.
     */
    detail: string;
    code: 'missing_token' | 'invalid_token' | 'insufficient_scope' | 'limit_reached' | 'invalid_request' | 'invalid_content' | 'not_found' | 'method_not_allowed' | 'already_exists' | 'key_reused' | 'too_large' | 'unsupported_media_type' | 'too_many_requests' | 'unexpected' | 'unavailable';
    /**
     * Each field that is wrong: a JSON pointer as a fragment (RFC 6901), and why.
     */
    errors?: Array<{
        pointer: string;
        detail: string;
    }>;
};
export type GetMeData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/me';
};
export type GetMeErrors = {
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope)
     */
    403: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type GetMeError = GetMeErrors[keyof GetMeErrors];
export type GetMeResponses = {
    /**
     * Done.
     */
    200: Me;
};
export type GetMeResponse = GetMeResponses[keyof GetMeResponses];
export type ListFoldersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * next_cursor of the answer before, for what comes after it. Left out to begin.
         */
        cursor?: string;
        /**
         * So many at most. An answer of large texts holds fewer.
         */
        limit?: number;
    };
    url: '/folders';
};
export type ListFoldersErrors = {
    /**
     * Invalid request (invalid_request)
     */
    400: Problem;
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope)
     */
    403: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type ListFoldersError = ListFoldersErrors[keyof ListFoldersErrors];
export type ListFoldersResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<Folder>;
        /**
         * Send it as cursor for what comes after; null at the end of the list.
         */
        next_cursor: string | null;
    };
};
export type ListFoldersResponse = ListFoldersResponses[keyof ListFoldersResponses];
export type CreateFolderData = {
    body: {
        /**
         * One line; no other folder of the person has the same.
         */
        name: string;
    };
    headers?: {
        /**
         * The same request under the same key is done once in 24 hours, and answered the same.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/folders';
};
export type CreateFolderErrors = {
    /**
     * Invalid request (invalid_request)
     */
    400: Problem;
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope); Limit reached (limit_reached)
     */
    403: Problem;
    /**
     * Already exists (already_exists)
     */
    409: Problem;
    /**
     * Content too large (too_large)
     */
    413: Problem;
    /**
     * Unsupported media type (unsupported_media_type)
     */
    415: Problem;
    /**
     * Invalid content (invalid_content); Idempotency key reused (key_reused)
     */
    422: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type CreateFolderError = CreateFolderErrors[keyof CreateFolderErrors];
export type CreateFolderResponses = {
    /**
     * Made.
     */
    201: Folder;
};
export type CreateFolderResponse = CreateFolderResponses[keyof CreateFolderResponses];
export type DeleteFolderData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/folders/{id}';
};
export type DeleteFolderErrors = {
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope)
     */
    403: Problem;
    /**
     * Not found (not_found)
     */
    404: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type DeleteFolderError = DeleteFolderErrors[keyof DeleteFolderErrors];
export type DeleteFolderResponses = {
    /**
     * Done; there is nothing to say.
     */
    204: void;
};
export type DeleteFolderResponse = DeleteFolderResponses[keyof DeleteFolderResponses];
export type GetFolderData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/folders/{id}';
};
export type GetFolderErrors = {
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope)
     */
    403: Problem;
    /**
     * Not found (not_found)
     */
    404: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type GetFolderError = GetFolderErrors[keyof GetFolderErrors];
export type GetFolderResponses = {
    /**
     * Done.
     */
    200: Folder;
};
export type GetFolderResponse = GetFolderResponses[keyof GetFolderResponses];
export type UpdateFolderData = {
    body: {
        /**
         * One line; no other folder of the person has the same.
         */
        name: string;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/folders/{id}';
};
export type UpdateFolderErrors = {
    /**
     * Invalid request (invalid_request)
     */
    400: Problem;
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope)
     */
    403: Problem;
    /**
     * Not found (not_found)
     */
    404: Problem;
    /**
     * Already exists (already_exists)
     */
    409: Problem;
    /**
     * Content too large (too_large)
     */
    413: Problem;
    /**
     * Unsupported media type (unsupported_media_type)
     */
    415: Problem;
    /**
     * Invalid content (invalid_content)
     */
    422: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type UpdateFolderError = UpdateFolderErrors[keyof UpdateFolderErrors];
export type UpdateFolderResponses = {
    /**
     * Done.
     */
    200: Folder;
};
export type UpdateFolderResponse = UpdateFolderResponses[keyof UpdateFolderResponses];
export type ListCategoriesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * A folder of the person, or one that is shared with them.
         */
        folder_id?: string;
        /**
         * true: those of shared folders instead.
         */
        shared?: 'true' | 'false';
        /**
         * next_cursor of the answer before, for what comes after it. Left out to begin.
         */
        cursor?: string;
        /**
         * So many at most. An answer of large texts holds fewer.
         */
        limit?: number;
    };
    url: '/categories';
};
export type ListCategoriesErrors = {
    /**
     * Invalid request (invalid_request)
     */
    400: Problem;
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope)
     */
    403: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type ListCategoriesError = ListCategoriesErrors[keyof ListCategoriesErrors];
export type ListCategoriesResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<Category>;
        /**
         * Send it as cursor for what comes after; null at the end of the list.
         */
        next_cursor: string | null;
    };
};
export type ListCategoriesResponse = ListCategoriesResponses[keyof ListCategoriesResponses];
export type CreateCategoryData = {
    body: {
        /**
         * One line.
         */
        name: string;
        /**
         * A folder of the person, or one that is shared with them.
         */
        folder_id: string;
        description?: string | null;
    };
    headers?: {
        /**
         * The same request under the same key is done once in 24 hours, and answered the same.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/categories';
};
export type CreateCategoryErrors = {
    /**
     * Invalid request (invalid_request)
     */
    400: Problem;
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope); Limit reached (limit_reached)
     */
    403: Problem;
    /**
     * Content too large (too_large)
     */
    413: Problem;
    /**
     * Unsupported media type (unsupported_media_type)
     */
    415: Problem;
    /**
     * Invalid content (invalid_content); Idempotency key reused (key_reused)
     */
    422: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type CreateCategoryError = CreateCategoryErrors[keyof CreateCategoryErrors];
export type CreateCategoryResponses = {
    /**
     * Made.
     */
    201: Category;
};
export type CreateCategoryResponse = CreateCategoryResponses[keyof CreateCategoryResponses];
export type DeleteCategoryData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/categories/{id}';
};
export type DeleteCategoryErrors = {
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope)
     */
    403: Problem;
    /**
     * Not found (not_found)
     */
    404: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type DeleteCategoryError = DeleteCategoryErrors[keyof DeleteCategoryErrors];
export type DeleteCategoryResponses = {
    /**
     * Done; there is nothing to say.
     */
    204: void;
};
export type DeleteCategoryResponse = DeleteCategoryResponses[keyof DeleteCategoryResponses];
export type GetCategoryData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/categories/{id}';
};
export type GetCategoryErrors = {
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope)
     */
    403: Problem;
    /**
     * Not found (not_found)
     */
    404: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type GetCategoryError = GetCategoryErrors[keyof GetCategoryErrors];
export type GetCategoryResponses = {
    /**
     * Done.
     */
    200: Category;
};
export type GetCategoryResponse = GetCategoryResponses[keyof GetCategoryResponses];
export type UpdateCategoryData = {
    body: {
        /**
         * One line.
         */
        name?: string;
        /**
         * A folder of the person, or one that is shared with them.
         */
        folder_id?: string;
        description?: string | null;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/categories/{id}';
};
export type UpdateCategoryErrors = {
    /**
     * Invalid request (invalid_request)
     */
    400: Problem;
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope)
     */
    403: Problem;
    /**
     * Not found (not_found)
     */
    404: Problem;
    /**
     * Content too large (too_large)
     */
    413: Problem;
    /**
     * Unsupported media type (unsupported_media_type)
     */
    415: Problem;
    /**
     * Invalid content (invalid_content)
     */
    422: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type UpdateCategoryError = UpdateCategoryErrors[keyof UpdateCategoryErrors];
export type UpdateCategoryResponses = {
    /**
     * Done.
     */
    200: Category;
};
export type UpdateCategoryResponse = UpdateCategoryResponses[keyof UpdateCategoryResponses];
export type ListLinksData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * A category of the person, or of a folder that is shared with them.
         */
        category_id?: string;
        /**
         * A web address.
         */
        url?: string;
        /**
         * next_cursor of the answer before, for what comes after it. Left out to begin.
         */
        cursor?: string;
        /**
         * So many at most. An answer of large texts holds fewer.
         */
        limit?: number;
    };
    url: '/links';
};
export type ListLinksErrors = {
    /**
     * Invalid request (invalid_request)
     */
    400: Problem;
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope)
     */
    403: Problem;
    /**
     * Not found (not_found)
     */
    404: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type ListLinksError = ListLinksErrors[keyof ListLinksErrors];
export type ListLinksResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<Link>;
        /**
         * Send it as cursor for what comes after; null at the end of the list.
         */
        next_cursor: string | null;
    };
};
export type ListLinksResponse = ListLinksResponses[keyof ListLinksResponses];
export type CreateLinkData = {
    body: {
        /**
         * A web address; https is added where it has no scheme. At most 500 characters.
         */
        url: string;
        /**
         * One line.
         */
        title?: string;
        description?: string | null;
        /**
         * A category of the person, or of a folder that is shared with them.
         */
        category_id?: string;
        /**
         * Names: all the tags that the link is to have. Those that do not exist are made.
         */
        tags?: Array<string>;
    };
    headers?: {
        /**
         * The same request under the same key is done once in 24 hours, and answered the same.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/links';
};
export type CreateLinkErrors = {
    /**
     * Invalid request (invalid_request)
     */
    400: Problem;
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope); Limit reached (limit_reached)
     */
    403: Problem;
    /**
     * Content too large (too_large)
     */
    413: Problem;
    /**
     * Unsupported media type (unsupported_media_type)
     */
    415: Problem;
    /**
     * Invalid content (invalid_content); Idempotency key reused (key_reused)
     */
    422: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type CreateLinkError = CreateLinkErrors[keyof CreateLinkErrors];
export type CreateLinkResponses = {
    /**
     * Made.
     */
    201: Link;
};
export type CreateLinkResponse = CreateLinkResponses[keyof CreateLinkResponses];
export type DeleteLinkData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/links/{id}';
};
export type DeleteLinkErrors = {
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope)
     */
    403: Problem;
    /**
     * Not found (not_found)
     */
    404: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type DeleteLinkError = DeleteLinkErrors[keyof DeleteLinkErrors];
export type DeleteLinkResponses = {
    /**
     * Done; there is nothing to say.
     */
    204: void;
};
export type DeleteLinkResponse = DeleteLinkResponses[keyof DeleteLinkResponses];
export type GetLinkData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/links/{id}';
};
export type GetLinkErrors = {
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope)
     */
    403: Problem;
    /**
     * Not found (not_found)
     */
    404: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type GetLinkError = GetLinkErrors[keyof GetLinkErrors];
export type GetLinkResponses = {
    /**
     * Done.
     */
    200: Link;
};
export type GetLinkResponse = GetLinkResponses[keyof GetLinkResponses];
export type UpdateLinkData = {
    body: {
        /**
         * A web address; https is added where it has no scheme. At most 500 characters.
         */
        url?: string;
        /**
         * One line.
         */
        title?: string;
        description?: string | null;
        /**
         * A category of the person, or of a folder that is shared with them.
         */
        category_id?: string;
        /**
         * Names: all the tags that the link is to have. Those that do not exist are made.
         */
        tags?: Array<string>;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/links/{id}';
};
export type UpdateLinkErrors = {
    /**
     * Invalid request (invalid_request)
     */
    400: Problem;
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope); Limit reached (limit_reached)
     */
    403: Problem;
    /**
     * Not found (not_found)
     */
    404: Problem;
    /**
     * Content too large (too_large)
     */
    413: Problem;
    /**
     * Unsupported media type (unsupported_media_type)
     */
    415: Problem;
    /**
     * Invalid content (invalid_content)
     */
    422: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type UpdateLinkError = UpdateLinkErrors[keyof UpdateLinkErrors];
export type UpdateLinkResponses = {
    /**
     * Done.
     */
    200: Link;
};
export type UpdateLinkResponse = UpdateLinkResponses[keyof UpdateLinkResponses];
export type ListTagsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * next_cursor of the answer before, for what comes after it. Left out to begin.
         */
        cursor?: string;
        /**
         * So many at most. An answer of large texts holds fewer.
         */
        limit?: number;
    };
    url: '/tags';
};
export type ListTagsErrors = {
    /**
     * Invalid request (invalid_request)
     */
    400: Problem;
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope)
     */
    403: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type ListTagsError = ListTagsErrors[keyof ListTagsErrors];
export type ListTagsResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<Tag>;
        /**
         * Send it as cursor for what comes after; null at the end of the list.
         */
        next_cursor: string | null;
    };
};
export type ListTagsResponse = ListTagsResponses[keyof ListTagsResponses];
export type DeleteTagData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/tags/{id}';
};
export type DeleteTagErrors = {
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope)
     */
    403: Problem;
    /**
     * Not found (not_found)
     */
    404: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type DeleteTagError = DeleteTagErrors[keyof DeleteTagErrors];
export type DeleteTagResponses = {
    /**
     * Done; there is nothing to say.
     */
    204: void;
};
export type DeleteTagResponse = DeleteTagResponses[keyof DeleteTagResponses];
export type UpdateTagData = {
    body: {
        /**
         * Neither commas, semicolons, quotation marks nor bars; no # at its beginning.
         */
        name: string;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/tags/{id}';
};
export type UpdateTagErrors = {
    /**
     * Invalid request (invalid_request)
     */
    400: Problem;
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope)
     */
    403: Problem;
    /**
     * Not found (not_found)
     */
    404: Problem;
    /**
     * Already exists (already_exists)
     */
    409: Problem;
    /**
     * Content too large (too_large)
     */
    413: Problem;
    /**
     * Unsupported media type (unsupported_media_type)
     */
    415: Problem;
    /**
     * Invalid content (invalid_content)
     */
    422: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type UpdateTagError = UpdateTagErrors[keyof UpdateTagErrors];
export type UpdateTagResponses = {
    /**
     * Done.
     */
    200: Tag;
};
export type UpdateTagResponse = UpdateTagResponses[keyof UpdateTagResponses];
export type SearchLinksData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Words, operators or both.
         */
        q: string;
        /**
         * next_cursor of the answer before, for what comes after it. Left out to begin.
         */
        cursor?: string;
    };
    url: '/search';
};
export type SearchLinksErrors = {
    /**
     * Invalid request (invalid_request)
     */
    400: Problem;
    /**
     * Authentication required (missing_token); Invalid token (invalid_token)
     */
    401: Problem;
    /**
     * Insufficient scope (insufficient_scope)
     */
    403: Problem;
    /**
     * Too many requests (too_many_requests)
     */
    429: Problem;
    /**
     * Unexpected failure (unexpected)
     */
    500: Problem;
    /**
     * Unavailable (unavailable)
     */
    503: Problem;
};
export type SearchLinksError = SearchLinksErrors[keyof SearchLinksErrors];
export type SearchLinksResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<Link>;
        /**
         * Send it as cursor for what comes after; null at the end of the list.
         */
        next_cursor: string | null;
        /**
         * Operators that could not be read.
         */
        ignored_operators: Array<string>;
    };
};
export type SearchLinksResponse = SearchLinksResponses[keyof SearchLinksResponses];
export type PostLinkCreatedWebhookPayload = {
    type: 'link.created';
    /**
     * When it happened.
     */
    timestamp: string;
    data: {
        /**
         * How many there were. The list names fifty of them at most; the others are read through the API.
         */
        count: number;
        links: Array<{
            id: string;
            url: string;
            title: string;
            description: string | null;
            category_id: string;
            created_at: string;
        }>;
    };
};
export type PostLinkCreatedWebhookRequest = {
    body: PostLinkCreatedWebhookPayload;
    key: 'link.created';
    path?: never;
    query?: never;
};
export type PostLinkUpdatedWebhookPayload = {
    type: 'link.updated';
    /**
     * When it happened.
     */
    timestamp: string;
    data: {
        /**
         * How many there were. The list names fifty of them at most; the others are read through the API.
         */
        count: number;
        links: Array<{
            id: string;
            url: string;
            title: string;
            description: string | null;
            category_id: string;
            created_at: string;
        }>;
    };
};
export type PostLinkUpdatedWebhookRequest = {
    body: PostLinkUpdatedWebhookPayload;
    key: 'link.updated';
    path?: never;
    query?: never;
};
export type PostLinkDeletedWebhookPayload = {
    type: 'link.deleted';
    /**
     * When it happened.
     */
    timestamp: string;
    data: {
        /**
         * How many there were. The list names fifty of them at most; the others are read through the API.
         */
        count: number;
        links: Array<{
            id: string;
            url: string;
            title: string;
            description: string | null;
            category_id: string;
            created_at: string;
        }>;
    };
};
export type PostLinkDeletedWebhookRequest = {
    body: PostLinkDeletedWebhookPayload;
    key: 'link.deleted';
    path?: never;
    query?: never;
};
export type PostCategorySharedWebhookPayload = {
    type: 'category.shared';
    /**
     * When it happened.
     */
    timestamp: string;
    data: {
        /**
         * How many there were. The list names fifty of them at most; the others are read through the API.
         */
        count: number;
        categories: Array<{
            id: string;
            name: string;
            is_public: boolean;
            /**
             * How many people it is shared with by their address.
             */
            people: number;
        }>;
    };
};
export type PostCategorySharedWebhookRequest = {
    body: PostCategorySharedWebhookPayload;
    key: 'category.shared';
    path?: never;
    query?: never;
};
export type PostWebhookTestWebhookPayload = {
    type: 'webhook.test';
    /**
     * When it happened.
     */
    timestamp: string;
    data: {
        [key: string]: unknown;
    };
};
export type PostWebhookTestWebhookRequest = {
    body: PostWebhookTestWebhookPayload;
    key: 'webhook.test';
    path?: never;
    query?: never;
};
