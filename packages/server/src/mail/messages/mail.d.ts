/* eslint-disable */
import type { Message, MessageWith } from "./runtime.js"

/**
 * en: Your account for {{project}} is active
 *
 * de: Ihr Konto für {{project}} ist aktiv
 *
 * mail: `ACTIVATED_SUBJECT`
 */
export const ACTIVATED_SUBJECT: MessageWith<"project">
/**
 * en: You can sign in to {{project}} with your password from now on.
 *
 * de: Sie können sich ab jetzt mit Ihrem Passwort bei {{project}} anmelden.
 *
 * mail: `ACTIVATED_TEXT`
 */
export const ACTIVATED_TEXT: MessageWith<"project">
/**
 * en: Your password for {{project}} was changed
 *
 * de: Ihr Passwort für {{project}} wurde geändert
 *
 * mail: `CHANGED_SUBJECT`
 */
export const CHANGED_SUBJECT: MessageWith<"project">
/**
 * en: The password of your account for {{project}} was changed, and all your sessions were ended. If it was not you, request a new password on the sign-in page at once.
 *
 * de: Das Passwort Ihres Kontos für {{project}} wurde geändert, und alle Ihre Sitzungen wurden beendet. Wenn Sie das nicht waren, fordern Sie auf der Anmeldeseite sofort ein neues Passwort an.
 *
 * mail: `CHANGED_TEXT`
 */
export const CHANGED_TEXT: MessageWith<"project">
/**
 * en: Your code for {{project}}
 *
 * de: Ihr Code für {{project}}
 *
 * mail: `CODE_SUBJECT`
 */
export const CODE_SUBJECT: MessageWith<"project">
/**
 * en: This is your code to sign in to {{project}}. It is valid for ten minutes.
 *
 * de: Mit diesem Code melden Sie sich bei {{project}} an. Er gilt zehn Minuten.
 *
 * mail: `CODE_TEXT`
 */
export const CODE_TEXT: MessageWith<"project">
/**
 * en: If the button does not work, open this address in your browser:
 *
 * de: Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse im Browser:
 *
 * mail: `COPY_LINK`
 */
export const COPY_LINK: Message
/**
 * en: Confirm
 *
 * de: Bestätigen
 *
 * mail: `CREATED_BUTTON`
 */
export const CREATED_BUTTON: Message
/**
 * en: Your account for {{project}}
 *
 * de: Ihr Konto für {{project}}
 *
 * mail: `CREATED_SUBJECT`
 */
export const CREATED_SUBJECT: MessageWith<"project">
/**
 * en: There is an account for you in {{project}}. Confirm your address and choose a password.
 *
 * de: In {{project}} gibt es ein Konto für Sie. Bestätigen Sie Ihre Adresse und wählen Sie ein Passwort.
 *
 * mail: `CREATED_TEXT`
 */
export const CREATED_TEXT: MessageWith<"project">
/**
 * en: Choose a password
 *
 * de: Passwort wählen
 *
 * mail: `INVITATION_BUTTON`
 */
export const INVITATION_BUTTON: Message
/**
 * en: Your account for {{project}}
 *
 * de: Ihr Konto für {{project}}
 *
 * mail: `INVITATION_SUBJECT`
 */
export const INVITATION_SUBJECT: MessageWith<"project">
/**
 * en: You are invited to {{project}}. Choose a password to use your account.
 *
 * de: Sie sind zu {{project}} eingeladen. Wählen Sie ein Passwort, um Ihr Konto zu benutzen.
 *
 * mail: `INVITATION_TEXT`
 */
export const INVITATION_TEXT: MessageWith<"project">
/**
 * en: If you did not expect this mail, ignore it.
 *
 * de: Wenn Sie diese Mail nicht erwartet haben, beachten Sie sie nicht.
 *
 * mail: `NOT_EXPECTED`
 */
export const NOT_EXPECTED: Message
/**
 * en: Choose a password
 *
 * de: Passwort wählen
 *
 * mail: `RESET_BUTTON`
 */
export const RESET_BUTTON: Message
/**
 * en: Your password for {{project}}
 *
 * de: Ihr Passwort für {{project}}
 *
 * mail: `RESET_SUBJECT`
 */
export const RESET_SUBJECT: MessageWith<"project">
/**
 * en: Choose a new password for {{project}}. The link is valid for 30 minutes.
 *
 * de: Wählen Sie ein neues Passwort für {{project}}. Der Link gilt 30 Minuten.
 *
 * mail: `RESET_TEXT`
 */
export const RESET_TEXT: MessageWith<"project">
