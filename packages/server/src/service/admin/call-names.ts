/** The names in calls of an administration, which its clients use too. */

/** The path before the name of each operation. */
export const ADMIN_PATH = "/v1/admin/";

/** The header with a name for the audit log. */
export const NAME_HEADER = "spillway-as";
