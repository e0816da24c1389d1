// Written by packages/database-types/src/generate-database-types.ts from the migrations. Do not edit: run
// `node packages/database-types/src/generate-database-types.ts` after a change of the schema.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      categories: {
        Row: {
          created_at: string;
          description: string | null;
          folder_id: string;
          id: string;
          is_held_back: boolean;
          is_public: boolean;
          name: string;
          name_users: string | null;
          updated_at: string;
          user_id: string;
        };
        Insert: {
          created_at?: string;
          description?: string | null;
          folder_id: string;
          id?: string;
          is_held_back?: boolean;
          is_public?: boolean;
          name: string;
          name_users?: string | null;
          updated_at?: string;
          user_id?: string;
        };
        Update: {
          created_at?: string;
          description?: string | null;
          folder_id?: string;
          id?: string;
          is_held_back?: boolean;
          is_public?: boolean;
          name?: string;
          name_users?: string | null;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'categories_folder_of_same_owner';
            columns: ['folder_id', 'user_id'];
            isOneToOne: false;
            referencedRelation: 'folders';
            referencedColumns: ['id', 'user_id'];
          },
        ];
      };
      category_counts: {
        Row: {
          category_id: string;
          link_count: number;
          user_id: string;
        };
        Insert: {
          category_id: string;
          link_count?: number;
          user_id: string;
        };
        Update: {
          category_id?: string;
          link_count?: number;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'category_counts_category_id_fkey';
            columns: ['category_id'];
            isOneToOne: true;
            referencedRelation: 'categories';
            referencedColumns: ['id'];
          },
        ];
      };
      favorites: {
        Row: {
          category_id: string | null;
          created_at: string;
          id: string;
          link_id: string | null;
          user_id: string;
        };
        Insert: {
          category_id?: string | null;
          created_at?: string;
          id?: string;
          link_id?: string | null;
          user_id?: string;
        };
        Update: {
          category_id?: string | null;
          created_at?: string;
          id?: string;
          link_id?: string | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'favorites_category_id_fkey';
            columns: ['category_id'];
            isOneToOne: false;
            referencedRelation: 'categories';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'favorites_link_id_fkey';
            columns: ['link_id'];
            isOneToOne: false;
            referencedRelation: 'links';
            referencedColumns: ['id'];
          },
        ];
      };
      folder_looks: {
        Row: {
          color: string | null;
          emoji: string | null;
          folder_id: string;
          user_id: string;
        };
        Insert: {
          color?: string | null;
          emoji?: string | null;
          folder_id: string;
          user_id?: string;
        };
        Update: {
          color?: string | null;
          emoji?: string | null;
          folder_id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'folder_looks_folder_id_fkey';
            columns: ['folder_id'];
            isOneToOne: true;
            referencedRelation: 'folders';
            referencedColumns: ['id'];
          },
        ];
      };
      folder_members: {
        Row: {
          created_at: string;
          email: string;
          folder_id: string;
          group_id: string | null;
          id: string;
          invited_by: string | null;
          member_id: string | null;
          owner_id: string;
          role: string;
          updated_at: string;
        };
        Insert: {
          created_at?: string;
          email: string;
          folder_id: string;
          group_id?: string | null;
          id?: string;
          invited_by?: string | null;
          member_id?: string | null;
          owner_id?: string;
          role: string;
          updated_at?: string;
        };
        Update: {
          created_at?: string;
          email?: string;
          folder_id?: string;
          group_id?: string | null;
          id?: string;
          invited_by?: string | null;
          member_id?: string | null;
          owner_id?: string;
          role?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'folder_members_folder_of_owner';
            columns: ['folder_id', 'owner_id'];
            isOneToOne: false;
            referencedRelation: 'folders';
            referencedColumns: ['id', 'user_id'];
          },
          {
            foreignKeyName: 'folder_members_invited_by_fkey';
            columns: ['invited_by'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'folder_members_member_id_fkey';
            columns: ['member_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
        ];
      };
      folders: {
        Row: {
          created_at: string;
          id: string;
          is_public: boolean;
          name: string;
          shared_with: string[];
          updated_at: string;
          user_id: string;
        };
        Insert: {
          created_at?: string;
          id?: string;
          is_public?: boolean;
          name: string;
          shared_with?: string[];
          updated_at?: string;
          user_id?: string;
        };
        Update: {
          created_at?: string;
          id?: string;
          is_public?: boolean;
          name?: string;
          shared_with?: string[];
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      inboxes: {
        Row: {
          category_id: string;
          user_id: string;
        };
        Insert: {
          category_id: string;
          user_id: string;
        };
        Update: {
          category_id?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      library_counts: {
        Row: {
          category_count: number;
          folder_count: number;
          link_count: number;
          row_bytes: number;
          user_id: string;
        };
        Insert: {
          category_count?: number;
          folder_count?: number;
          link_count?: number;
          row_bytes?: number;
          user_id: string;
        };
        Update: {
          category_count?: number;
          folder_count?: number;
          link_count?: number;
          row_bytes?: number;
          user_id?: string;
        };
        Relationships: [];
      };
      link_tags: {
        Row: {
          link_id: string;
          saved_at: string;
          tag_id: string;
          user_id: string;
        };
        Insert: {
          link_id: string;
          saved_at: string;
          tag_id: string;
          user_id: string;
        };
        Update: {
          link_id?: string;
          saved_at?: string;
          tag_id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'link_tags_link_id_fkey';
            columns: ['link_id'];
            isOneToOne: false;
            referencedRelation: 'links';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'link_tags_tag_of_same_owner';
            columns: ['tag_id', 'user_id'];
            isOneToOne: false;
            referencedRelation: 'tags';
            referencedColumns: ['id', 'user_id'];
          },
        ];
      };
      links: {
        Row: {
          added_by: string | null;
          added_by_name: string | null;
          category_id: string;
          created_at: string;
          description: string | null;
          id: string;
          title: string;
          updated_at: string;
          url: string;
          user_id: string;
        };
        Insert: {
          added_by?: string | null;
          added_by_name?: string | null;
          category_id: string;
          created_at?: string;
          description?: string | null;
          id?: string;
          title: string;
          updated_at?: string;
          url: string;
          user_id?: string;
        };
        Update: {
          added_by?: string | null;
          added_by_name?: string | null;
          category_id?: string;
          created_at?: string;
          description?: string | null;
          id?: string;
          title?: string;
          updated_at?: string;
          url?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'links_added_by_fkey';
            columns: ['added_by'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'links_category_of_same_owner';
            columns: ['category_id', 'user_id'];
            isOneToOne: false;
            referencedRelation: 'categories';
            referencedColumns: ['id', 'user_id'];
          },
        ];
      };
      manual_order: {
        Row: {
          category_id: string | null;
          id: string;
          link_id: string | null;
          rank: string | null;
          user_id: string;
        };
        Insert: {
          category_id?: string | null;
          id?: string;
          link_id?: string | null;
          rank?: string | null;
          user_id: string;
        };
        Update: {
          category_id?: string | null;
          id?: string;
          link_id?: string | null;
          rank?: string | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'manual_order_category_id_fkey';
            columns: ['category_id'];
            isOneToOne: true;
            referencedRelation: 'categories';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'manual_order_link_id_fkey';
            columns: ['link_id'];
            isOneToOne: true;
            referencedRelation: 'links';
            referencedColumns: ['id'];
          },
        ];
      };
      profiles: {
        Row: {
          created_at: string;
          id: string;
          name: string | null;
          plan: string;
          updated_at: string;
        };
        Insert: {
          created_at?: string;
          id: string;
          name?: string | null;
          plan?: string;
          updated_at?: string;
        };
        Update: {
          created_at?: string;
          id?: string;
          name?: string | null;
          plan?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
      saved_searches: {
        Row: {
          created_at: string;
          id: string;
          name: string;
          question: string;
          user_id: string;
        };
        Insert: {
          created_at?: string;
          id?: string;
          name: string;
          question: string;
          user_id?: string;
        };
        Update: {
          created_at?: string;
          id?: string;
          name?: string;
          question?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      shared_with: {
        Row: {
          category_id: string;
          created_at: string;
          email: string;
          id: string;
        };
        Insert: {
          category_id: string;
          created_at?: string;
          email: string;
          id?: string;
        };
        Update: {
          category_id?: string;
          created_at?: string;
          email?: string;
          id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'shared_with_category_id_fkey';
            columns: ['category_id'];
            isOneToOne: false;
            referencedRelation: 'categories';
            referencedColumns: ['id'];
          },
        ];
      };
      subscribers: {
        Row: {
          amount_cents: number | null;
          billing_interval: string | null;
          cancel_at_period_end: boolean;
          created_at: string;
          currency: string | null;
          current_period_end: string | null;
          plan: string;
          stripe_customer_id: string | null;
          stripe_price_id: string | null;
          stripe_subscription_id: string | null;
          subscription_status: string | null;
          trial_end: string | null;
          updated_at: string;
          user_id: string;
        };
        Insert: {
          amount_cents?: number | null;
          billing_interval?: string | null;
          cancel_at_period_end?: boolean;
          created_at?: string;
          currency?: string | null;
          current_period_end?: string | null;
          plan?: string;
          stripe_customer_id?: string | null;
          stripe_price_id?: string | null;
          stripe_subscription_id?: string | null;
          subscription_status?: string | null;
          trial_end?: string | null;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          amount_cents?: number | null;
          billing_interval?: string | null;
          cancel_at_period_end?: boolean;
          created_at?: string;
          currency?: string | null;
          current_period_end?: string | null;
          plan?: string;
          stripe_customer_id?: string | null;
          stripe_price_id?: string | null;
          stripe_subscription_id?: string | null;
          subscription_status?: string | null;
          trial_end?: string | null;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      tags: {
        Row: {
          color: string | null;
          created_at: string;
          folded: string;
          id: string;
          link_count: number;
          name: string;
          tagged_at: string;
          user_id: string;
        };
        Insert: {
          color?: string | null;
          created_at?: string;
          folded: string;
          id?: string;
          link_count?: number;
          name: string;
          tagged_at?: string;
          user_id: string;
        };
        Update: {
          color?: string | null;
          created_at?: string;
          folded?: string;
          id?: string;
          link_count?: number;
          name?: string;
          tagged_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
    };
    Views: { [_ in never]: never };
    Functions: {
      admin_audit: {
        Args: { page?: number; page_size?: number };
        Returns: Json;
      };
      admin_change_plan: {
        Args: { plan: string; user_id: string };
        Returns: Json;
      };
      admin_list_users: {
        Args: { closed_for?: string; page?: number; page_size?: number; plan?: string; search?: string };
        Returns: Json;
      };
      admin_overview: {
        Args: never;
        Returns: Json;
      };
      admin_statistics: {
        Args: { first_day: string; last_day: string; unit?: string };
        Returns: Json;
      };
      admin_subscriptions: {
        Args: { page?: number; page_size?: number; state?: string };
        Returns: Json;
      };
      admin_user_links: {
        Args: { page?: number; page_size?: number; user_id: string };
        Returns: Json;
      };
      allow_any_mail_sender: {
        Args: { allowed: boolean };
        Returns: undefined;
      };
      allow_mail_sender: {
        Args: { email: string };
        Returns: undefined;
      };
      answer_access_request: {
        Args: { allow: boolean; request_id: string };
        Returns: undefined;
      };
      apply_subscription: {
        Args: { customer_id: string; event_id?: string; state: Json; ticket: number };
        Returns: string;
      };
      are_link_checks_due: {
        Args: never;
        Returns: boolean;
      };
      arranged_links: {
        Args: { below?: string; category_id: string; max_results?: number };
        Returns: {
          added_by_name: string | null;
          created_at: string;
          description: string | null;
          id: string;
          rank: string | null;
          tag_ids: string[] | null;
          title: string;
          updated_at: string;
          url: string;
          user_id: string;
        }[];
      };
      available_folders: {
        Args: never;
        Returns: {
          category_count: number;
          folder_id: string;
          is_closed: boolean;
          link_count: number;
          name: string;
          owner_name: string | null;
          refusal: string | null;
        }[];
      };
      begin_access_request_mail: {
        Args: { id: string };
        Returns: boolean;
      };
      begin_account_mail: {
        Args: { id: string };
        Returns: boolean;
      };
      begin_account_purges: {
        Args: { at?: string; max?: number };
        Returns: {
          stripe_customer_id: string | null;
          user_id: string;
        }[];
      };
      begin_daily_mail: {
        Args: { at?: string; id: string };
        Returns: boolean;
      };
      begin_share_notification: {
        Args: { id: string };
        Returns: boolean;
      };
      begin_subscription_check: {
        Args: { user_id: string };
        Returns: string;
      };
      begin_subscription_sync: {
        Args: { customer_id: string };
        Returns: number;
      };
      broken_links: {
        Args: { link_ids: string[] };
        Returns: {
          failed_since: string;
          link_id: string;
          status: number | null;
        }[];
      };
      capture_link: {
        Args: { category_id?: string; description?: string; id: string; title: string; url: string };
        Returns: string;
      };
      category_covers: {
        Args: { category_id: string; link_ids: string[] };
        Returns: {
          link_id: string;
          path: string;
          state: string;
          tried_at: string;
        }[];
      };
      category_history: {
        Args: { before?: number; category_id: string };
        Returns: {
          act: string;
          changed_at: string;
          count: number;
          id: number;
          person: string | null;
          program: string | null;
          subject: string | null;
          undo: string | null;
        }[];
      };
      category_people: {
        Args: { category_id: string };
        Returns: {
          name: string | null;
          person_id: string;
        }[];
      };
      change_mail_address: {
        Args: never;
        Returns: string;
      };
      change_webhook: {
        Args: { enabled: boolean; events: string[]; url: string; webhook_id: string };
        Returns: undefined;
      };
      claim_access_request_mails: {
        Args: { max?: number };
        Returns: {
          asker_email: string;
          asker_name: string | null;
          category_id: string;
          category_name: string;
          email: string;
          id: string;
          note: string;
          unsubscribe_token: string;
        }[];
      };
      claim_account_mails: {
        Args: { max?: number };
        Returns: {
          deadline: string;
          email: string;
          id: string;
          kind: string;
          name: string | null;
        }[];
      };
      claim_account_upkeep: {
        Args: { at?: string };
        Returns: boolean;
      };
      claim_daily_mails: {
        Args: { at?: string; max?: number };
        Returns: {
          email: string;
          id: string;
          news: Json;
          unsubscribe_token: string;
        }[];
      };
      claim_folder_notifications: {
        Args: { max?: number };
        Returns: {
          attempts: number;
          email: string;
          first_category_id: string | null;
          folder_id: string;
          folder_name: string;
          id: string;
          queued_at: string;
          role: string;
          sender_name: string | null;
          unsubscribe_token: string;
        }[];
      };
      claim_share_notifications: {
        Args: { for_category?: string; max?: number };
        Returns: {
          attempts: number;
          category_id: string;
          category_name: string;
          description: string | null;
          email: string;
          id: string;
          owner_name: string | null;
          queued_at: string;
          unsubscribe_token: string;
        }[];
      };
      claim_stripe_customer: {
        Args: { customer_id: string; user_id: string };
        Returns: string;
      };
      close_abandoned_accounts: {
        Args: { at?: string; days?: number; max?: number };
        Returns: number;
      };
      close_account: {
        Args: { asking_session?: string; user_id: string };
        Returns: string;
      };
      close_feed: {
        Args: { category_id?: string; search_id?: string };
        Returns: undefined;
      };
      copy_shared_category: {
        Args: { category_id: string; folder_id: string };
        Returns: string;
      };
      count_links_by: {
        Args: { broken?: boolean; category?: string; favorite?: boolean; folder?: string; kind?: string; max_count?: number; saved_before?: string; saved_since?: string; site?: string; tags?: string[]; term?: string; untagged?: boolean };
        Returns: number;
      };
      count_searches: {
        Args: { searches: Json };
        Returns: {
          place: number;
          total: number;
        }[];
      };
      create_webhook: {
        Args: { events: string[]; url: string };
        Returns: {
          id: string;
          secret: string;
        }[];
      };
      daily_mail: {
        Args: never;
        Returns: boolean;
      };
      delete_from_bin: {
        Args: { deletion_id: number };
        Returns: boolean;
      };
      delete_group: {
        Args: { group_id: string };
        Returns: Json;
      };
      delete_links: {
        Args: { link_ids: string[] };
        Returns: number;
      };
      delete_tags: {
        Args: { tag_ids: string[] };
        Returns: number;
      };
      delete_webhook: {
        Args: { webhook_id: string };
        Returns: undefined;
      };
      empty_bin: {
        Args: never;
        Returns: number;
      };
      end_device: {
        Args: { session_id: string };
        Returns: boolean;
      };
      end_folder_offer: {
        Args: { folder_id: string };
        Returns: undefined;
      };
      end_group_share: {
        Args: { folder_id: string; group_id: string };
        Returns: undefined;
      };
      end_other_devices: {
        Args: never;
        Returns: number;
      };
      feed_key: {
        Args: { category_id?: string; search_id?: string };
        Returns: string;
      };
      find_account_to_close: {
        Args: { user_id: string };
        Returns: {
          closed_at: string | null;
          email: string | null;
          stripe_customer_id: string | null;
        }[];
      };
      find_charged_closed_accounts: {
        Args: never;
        Returns: {
          stripe_customer_id: string;
        }[];
      };
      find_links_by_url: {
        Args: { in_shared_folders?: boolean; urls: string[] };
        Returns: {
          category_id: string;
          category_name: string;
          folder_name: string;
          is_own: boolean;
          link_id: string;
          owner_name: string | null;
          title: string;
          url: string;
        }[];
      };
      finish_access_request_mail: {
        Args: { id: string; outcome: string };
        Returns: boolean;
      };
      finish_account_mail: {
        Args: { id: string; outcome: string };
        Returns: boolean;
      };
      finish_account_upkeep: {
        Args: { at?: string; next_in?: number };
        Returns: undefined;
      };
      finish_daily_mail: {
        Args: { at?: string; id: string; outcome: string };
        Returns: boolean;
      };
      finish_share_notification: {
        Args: { id: string; outcome: string };
        Returns: boolean;
      };
      folder_news: {
        Args: never;
        Returns: {
          added: number;
          category_id: string;
        }[];
      };
      folder_offer: {
        Args: { folder_id: string };
        Returns: string;
      };
      forbid_mail_sender: {
        Args: { email: string };
        Returns: undefined;
      };
      get_all_profiles: {
        Args: never;
        Returns: {
          created_at: string;
          id: string;
          name: string | null;
          plan: string;
          updated_at: string;
        }[];
        SetofOptions: {
          from: '*';
          to: 'profiles';
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      get_all_user_emails: {
        Args: never;
        Returns: {
          email: string | null;
          id: string;
        }[];
      };
      give_up_mail_address: {
        Args: never;
        Returns: undefined;
      };
      has_left_share: {
        Args: { category_id: string };
        Returns: boolean;
      };
      has_requested_access: {
        Args: { category_id: string };
        Returns: boolean;
      };
      ignore_stripe_event: {
        Args: { event_id: string };
        Returns: boolean;
      };
      import_library: {
        Args: { content: Json; import_id: string; part: number };
        Returns: Json;
      };
      is_admin: {
        Args: never;
        Returns: boolean;
      };
      join_repeated_links: {
        Args: { joins: Json };
        Returns: {
          gone: string[];
          kept: string;
          remaining: string;
          version: string;
          was: Json;
        }[];
      };
      kept_addresses: {
        Args: { buckets: number[] };
        Returns: string[];
      };
      last_import: {
        Args: never;
        Returns: Json;
      };
      leave_share: {
        Args: { category_id: string };
        Returns: undefined;
      };
      link_checks: {
        Args: never;
        Returns: {
          broken: number;
          checked: number;
          ended_at: string | null;
          total: number;
        }[];
      };
      list_access_requests: {
        Args: never;
        Returns: {
          asked_at: string;
          asker_name: string | null;
          category_id: string;
          category_name: string;
          email: string;
          id: string;
          note: string;
        }[];
      };
      list_bin: {
        Args: { before?: number; max?: number };
        Returns: {
          category_count: number;
          category_name: string | null;
          deleted_at: string;
          folder_count: number;
          folder_name: string | null;
          id: number;
          item_type: string;
          link_count: number;
          name: string;
          purge_after: string;
        }[];
      };
      list_bin_rows: {
        Args: { after_deletion?: number; after_id?: string; after_kind?: string; max?: number };
        Returns: {
          content: Json;
          deleted_at: string;
          deletion_id: number;
          id: string;
          kind: string;
          purge_after: string;
        }[];
      };
      list_devices: {
        Args: never;
        Returns: {
          is_current: boolean;
          last_used_at: string;
          network: string;
          session_id: string;
          signed_in_at: string;
          user_agent: string;
        }[];
      };
      list_files_to_purge: {
        Args: { max?: number; user_id: string };
        Returns: {
          bucket_id: string;
          name: string;
        }[];
      };
      list_folder_groups: {
        Args: { folder_id: string };
        Returns: {
          group_id: string;
          member_count: number;
          name: string;
          role: string;
        }[];
      };
      list_groups: {
        Args: never;
        Returns: {
          created_at: string;
          emails: string[];
          folder_count: number;
          id: string;
          name: string;
        }[];
      };
      list_leftover_covers: {
        Args: { max?: number };
        Returns: {
          name: string;
        }[];
      };
      list_own_access_requests: {
        Args: never;
        Returns: {
          asked_at: string;
          category_id: string;
          note: string;
        }[];
      };
      list_refused_mails: {
        Args: never;
        Returns: {
          id: string;
          reason: string;
          refused_at: string;
          sender: string;
          subject: string;
        }[];
      };
      list_repeated_links: {
        Args: { before?: string; before_address?: string; max_addresses?: number };
        Returns: {
          address: string;
          address_count: number;
          category_id: string;
          category_name: string;
          copy_count: number;
          created_at: string;
          description: string | null;
          favorite: boolean;
          folder_name: string;
          id: string;
          newest: string;
          title: string;
          updated_at: string;
          url: string;
        }[];
      };
      list_stale_customers: {
        Args: { before: string; max?: number };
        Returns: {
          customer_id: string;
        }[];
      };
      list_webhook_deliveries: {
        Args: { before?: number; webhook_id: string };
        Returns: {
          attempted_at: string | null;
          attempts: number;
          created_at: string;
          id: string;
          next_at: string | null;
          number: number;
          outcome: string | null;
          state: string;
          status: number | null;
          subject: string | null;
          type: string;
        }[];
      };
      list_webhooks: {
        Args: never;
        Returns: {
          created_at: string;
          delivered_at: string | null;
          events: string[];
          failing_since: string | null;
          id: string;
          off_at: string | null;
          off_reason: string | null;
          url: string;
          waiting: number;
        }[];
      };
      mail_address: {
        Args: never;
        Returns: {
          any_sender: boolean;
          local_part: string;
          own_sender: string | null;
          senders: string[];
        }[];
      };
      merge_tags: {
        Args: { source_ids: string[]; target_id: string };
        Returns: Json;
      };
      move_links: {
        Args: { link_ids: string[]; target_category_id: string };
        Returns: number;
      };
      note_cover: {
        Args: { link_id: string; state: string };
        Returns: string;
      };
      note_link_checks: {
        Args: { checks: Json; round_of?: string };
        Returns: undefined;
      };
      offer_folder: {
        Args: { email: string; folder_id: string };
        Returns: undefined;
      };
      open_feed: {
        Args: { category_id?: string; renew?: boolean; search_id?: string };
        Returns: string;
      };
      open_inbox: {
        Args: never;
        Returns: string;
      };
      open_locked_page: {
        Args: { category_id: string; password: string };
        Returns: string;
      };
      open_share: {
        Args: { category_id: string };
        Returns: undefined;
      };
      opened_share: {
        Args: never;
        Returns: string;
      };
      page_limits: {
        Args: { category_id?: string };
        Returns: {
          ends_at: string | null;
          has_password: boolean;
          id: string;
        }[];
      };
      place_links: {
        Args: { category_id: string; link_ids: string[]; manual?: boolean; ranks: string[] };
        Returns: number;
      };
      preview_import: {
        Args: { content: Json };
        Returns: number[];
      };
      program_act: {
        Args: { change_id: number };
        Returns: Json;
      };
      purge_account: {
        Args: { max_links?: number; user_id: string };
        Returns: boolean;
      };
      purge_stripe_events: {
        Args: never;
        Returns: number;
      };
      queue_share_notifications: {
        Args: { category_id: string; emails: string[] };
        Returns: number;
      };
      receive_mail: {
        Args: { is_verified: boolean; links: Json; local_part: string; message_key: string; sender: string; subject: string };
        Returns: string;
      };
      received_folders: {
        Args: never;
        Returns: {
          folder_id: string;
          may_write: boolean;
          name: string;
          owner_id: string;
          owner_name: string | null;
          role: string;
          shared_at: string;
        }[];
      };
      record_stripe_event: {
        Args: { created_at: string; customer_id: string; event_id: string; type: string };
        Returns: boolean;
      };
      request_access: {
        Args: { category_id: string; note?: string };
        Returns: undefined;
      };
      resend_webhook_delivery: {
        Args: { delivery_id: string };
        Returns: undefined;
      };
      restore_from_bin: {
        Args: { deletion_id: number; place_id?: string };
        Returns: Json;
      };
      restore_group: {
        Args: { content: Json; group_id: string };
        Returns: undefined;
      };
      restore_webhook: {
        Args: { webhook_id: string };
        Returns: undefined;
      };
      return_to_share: {
        Args: { category_id: string };
        Returns: boolean;
      };
      rotate_webhook_secret: {
        Args: { webhook_id: string };
        Returns: string;
      };
      save_group: {
        Args: { added?: string[]; group_id: string; name: string; removed?: string[] };
        Returns: undefined;
      };
      save_sharing: {
        Args: { category_id: string; emails: string[]; is_public: boolean };
        Returns: Json;
      };
      search_links: {
        Args: { max_results?: number; page?: number; term: string };
        Returns: {
          category_id: string;
          category_name: string;
          description: string | null;
          id: string;
          title: string;
          url: string;
        }[];
      };
      search_links_by: {
        Args: { broken?: boolean; category?: string; favorite?: boolean; folder?: string; kind?: string; max_results?: number; page?: number; saved_before?: string; saved_since?: string; site?: string; tags?: string[]; term?: string; untagged?: boolean };
        Returns: {
          category_id: string;
          category_name: string;
          description: string | null;
          id: string;
          title: string;
          url: string;
        }[];
      };
      search_received_links: {
        Args: { category?: string; favorite?: boolean; kind?: string; max_results?: number; owner?: string; page?: number; saved_before?: string; saved_since?: string; site?: string; term?: string };
        Returns: {
          category_id: string;
          category_name: string;
          description: string | null;
          id: string;
          owner_name: string | null;
          title: string;
          url: string;
        }[];
      };
      see_category: {
        Args: { category_id: string };
        Returns: undefined;
      };
      send_webhook_test: {
        Args: { webhook_id: string };
        Returns: undefined;
      };
      set_daily_mail: {
        Args: { enabled: boolean };
        Returns: undefined;
      };
      set_link_checks: {
        Args: { enabled: boolean };
        Returns: undefined;
      };
      set_page_end: {
        Args: { category_id: string; ends_at: string };
        Returns: undefined;
      };
      set_page_password: {
        Args: { category_id: string; password: string };
        Returns: undefined;
      };
      share_folder_with_group: {
        Args: { folder_id: string; group_id: string; role: string };
        Returns: undefined;
      };
      shared_category: {
        Args: { category_id: string };
        Returns: {
          access: string;
          created_at: string | null;
          description: string | null;
          id: string;
          link_count: number | null;
          name: string | null;
          owner_name: string | null;
          updated_at: string | null;
        }[];
      };
      shared_folder: {
        Args: { folder_id: string };
        Returns: {
          categories: Json;
          id: string;
          name: string;
          owner_name: string | null;
        }[];
      };
      shared_links: {
        Args: { before?: string; before_id?: string; category_id: string; max_results?: number };
        Returns: {
          created_at: string;
          description: string | null;
          id: string;
          tags: string[];
          title: string;
          updated_at: string;
          url: string;
        }[];
      };
      shared_tags: {
        Args: { link_ids: string[] };
        Returns: {
          link_id: string;
          names: string[];
        }[];
      };
      suggest_search: {
        Args: { term: string };
        Returns: string;
      };
      suspend_inactive_accounts: {
        Args: { at?: string; max?: number };
        Returns: number;
      };
      tag_links: {
        Args: { added?: string[]; link_ids: string[]; removed?: string[] };
        Returns: Json;
      };
      take_folder: {
        Args: { folder_id: string };
        Returns: undefined;
      };
      take_links_to_check: {
        Args: { max_links?: number };
        Returns: {
          link_id: string;
          round_of: string;
          url: string;
        }[];
      };
      take_reopening_notice: {
        Args: never;
        Returns: string;
      };
      undo_deletion: {
        Args: { item_ids: string[]; item_type: string };
        Returns: Json;
      };
      undo_import: {
        Args: { import_id: string };
        Returns: Json;
      };
      undo_join: {
        Args: { joins: Json };
        Returns: number;
      };
      undo_program_act: {
        Args: { change_id: number };
        Returns: Json;
      };
      undo_tag_change: {
        Args: { change_id: number };
        Returns: boolean;
      };
      unsubscribe_daily_mail: {
        Args: { stop?: boolean; token: string };
        Returns: string;
      };
      unsubscribe_share_mail: {
        Args: { stop?: boolean; token: string };
        Returns: string;
      };
      warn_inactive_accounts: {
        Args: { at?: string; max?: number };
        Returns: number;
      };
    };
    Enums: { [_ in never]: never };
    CompositeTypes: { [_ in never]: never };
  };
};
