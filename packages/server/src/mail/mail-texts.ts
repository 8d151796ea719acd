/** Language of mails. */
export type MailLanguage = 'en' | 'de' | 'fr'

/** Texts of the mails of one purpose, with `{project}` for the name of the project. */
interface MailTemplate {
  readonly subject: string
  readonly text: string
  /** Label of the link; mails without one have no link. */
  readonly button?: string
}

/** Purpose of a mail that the platform sends by itself. */
export type MailPurpose =
  | 'Invitation'
  | 'AccountCreated'
  | 'SecondFactor'
  | 'PasswordReset'
  | 'PasswordChanged'
  | 'AccountActivated'

interface MailTexts {
  readonly copyLink: string
  readonly notExpected: string
  readonly templates: Readonly<Record<MailPurpose, MailTemplate>>
}

export const mailTexts: Readonly<Record<MailLanguage, MailTexts>> = {
  en: {
    copyLink: 'If the button does not work, open this address in your browser:',
    notExpected: 'If you did not expect this mail, ignore it.',
    templates: {
      Invitation: {
        subject: 'Your account for {project}',
        text: 'You are invited to {project}. Choose a password to use your account.',
        button: 'Choose a password',
      },
      AccountCreated: {
        subject: 'Your account for {project}',
        text: 'There is an account for you in {project}. Confirm your address and choose a password.',
        button: 'Confirm',
      },
      SecondFactor: {
        subject: 'Your code for {project}',
        text: 'This is your code to sign in to {project}. It is valid for ten minutes.',
      },
      PasswordReset: {
        subject: 'Your password for {project}',
        text: 'Choose a new password for {project}. The link is valid for 30 minutes.',
        button: 'Choose a password',
      },
      PasswordChanged: {
        subject: 'Your password for {project} was changed',
        text: 'The password of your account for {project} was changed, and all your sessions were ended. If it was not you, request a new password on the sign-in page at once.',
      },
      AccountActivated: {
        subject: 'Your account for {project} is active',
        text: 'You can sign in to {project} with your password from now on.',
      },
    },
  },
  de: {
    copyLink: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse im Browser:',
    notExpected: 'Wenn Sie diese Mail nicht erwartet haben, beachten Sie sie nicht.',
    templates: {
      Invitation: {
        subject: 'Ihr Konto für {project}',
        text: 'Sie sind zu {project} eingeladen. Wählen Sie ein Passwort, um Ihr Konto zu benutzen.',
        button: 'Passwort wählen',
      },
      AccountCreated: {
        subject: 'Ihr Konto für {project}',
        text: 'In {project} gibt es ein Konto für Sie. Bestätigen Sie Ihre Adresse und wählen Sie ein Passwort.',
        button: 'Bestätigen',
      },
      SecondFactor: {
        subject: 'Ihr Code für {project}',
        text: 'Mit diesem Code melden Sie sich bei {project} an. Er gilt zehn Minuten.',
      },
      PasswordReset: {
        subject: 'Ihr Passwort für {project}',
        text: 'Wählen Sie ein neues Passwort für {project}. Der Link gilt 30 Minuten.',
        button: 'Passwort wählen',
      },
      PasswordChanged: {
        subject: 'Ihr Passwort für {project} wurde geändert',
        text: 'Das Passwort Ihres Kontos für {project} wurde geändert, und alle Ihre Sitzungen wurden beendet. Wenn Sie das nicht waren, fordern Sie auf der Anmeldeseite sofort ein neues Passwort an.',
      },
      AccountActivated: {
        subject: 'Ihr Konto für {project} ist aktiv',
        text: 'Sie können sich ab jetzt mit Ihrem Passwort bei {project} anmelden.',
      },
    },
  },
  fr: {
    copyLink: 'Si le bouton ne fonctionne pas, ouvrez cette adresse dans votre navigateur :',
    notExpected: 'Si vous n’attendiez pas ce message, ignorez-le.',
    templates: {
      Invitation: {
        subject: 'Votre compte pour {project}',
        text: 'Vous êtes invité à rejoindre {project}. Choisissez un mot de passe pour utiliser votre compte.',
        button: 'Choisir un mot de passe',
      },
      AccountCreated: {
        subject: 'Votre compte pour {project}',
        text: 'Un compte a été créé pour vous dans {project}. Confirmez votre adresse et choisissez un mot de passe.',
        button: 'Confirmer',
      },
      SecondFactor: {
        subject: 'Votre code pour {project}',
        text: 'Voici votre code pour vous connecter à {project}. Il est valable dix minutes.',
      },
      PasswordReset: {
        subject: 'Votre mot de passe pour {project}',
        text: 'Choisissez un nouveau mot de passe pour {project}. Le lien est valable 30 minutes.',
        button: 'Choisir un mot de passe',
      },
      PasswordChanged: {
        subject: 'Votre mot de passe pour {project} a été modifié',
        text: 'Le mot de passe de votre compte pour {project} a été modifié et toutes vos sessions ont été fermées. Si ce n’était pas vous, demandez immédiatement un nouveau mot de passe sur la page de connexion.',
      },
      AccountActivated: {
        subject: 'Votre compte pour {project} est actif',
        text: 'Vous pouvez désormais vous connecter à {project} avec votre mot de passe.',
      },
    },
  },
}
