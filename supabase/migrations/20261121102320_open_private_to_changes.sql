-- A subscriber is told of a deletion only if they could see the row, and a deleted row can no longer be read: its policy is
-- evaluated on the old values, by a query of the subscriber's own role. A stored policy may call a function by the right to
-- execute it alone, a query must see the schema as well. Nothing but the schema opens: tables and functions keep the rights
-- that were given one by one (supabase/tests holds the list).
grant usage on schema private to authenticated;
