extension PageTexts {
    static let english: [PageText: String] = [
        .skip: "Skip to content",
        .languages: "Languages",
        .addressLabel: "This page belongs to",
        .addressAdvice: "Check that your browser shows this address.",
        .signIn: "Sign in with your phone",
        .signInLead: "You will be signed in at",
        .confirmText: "Confirm with your phone",
        .confirmLead: "A confirmation is asked for by",
        .textLabel: "You are asked to confirm",
        .textAdvice: "Your phone shows the same text. Confirm only if both are the same; you accept on the phone only.",
        .scan: "Scan this code with the app on your phone. It renews itself.",
        .codeAlternative: "QR code for the app on your phone",
        .openHere: "Open the app on this device",
        .digitsLabel: "Number for your phone",
        .digitsEnter: "Enter this number on your phone.",
        .digitsCompare: "Confirm only if your phone shows the same number.",
        .pushed: "If there is such a user with a phone, a message is on its way. Open it and confirm.",
        .pushInstead: "Send a message to my phone instead",
        .userName: "User name",
        .sendPush: "Send",
        .codeInstead: "Show a QR code instead",
        .newCode: "Try again with a new code",
        .`continue`: "Continue",
        .cancel: "Cancel and go back",
        .whereLabel: "Is this you?",
        .siteLabel: "Site",
        .browserLabel: "Browser",
        .networkLabel: "Network address",
        .unknown: "unknown",
        .notMe:
            """
        If your phone asks you and you did not open this page yourself, answer “That was not me” there. \
        Support staff never ask you to scan a code.
        """,
        .stateWaiting: "Waiting for your phone",
        .stateShown: "Your phone shows the request. Confirm there.",
        .stateConfirmed: "Confirmed. You are being taken back.",
        .stateDenied: "You declined on the phone. You are not signed in.",
        .stateReported: "Reported: the user of the phone did not ask for this. You are not signed in.",
        .stateExpired: "No phone answered in time.",
        .stateOffline: "No connection to the server. Trying again.",
        .stateLater: "The server cannot ask your phone at the moment. Try again later.",
        .myDevices: "My devices",
        .signedInAs: "Signed in as",
        .noDevices: "No device is registered.",
        .addedOn: "Added on",
        .receivesPush: "receives messages",
        .confirmedHere: "confirmed this sign-in",
        .rename: "Rename",
        .newName: "New name",
        .save: "Save",
        .lost: "Lost or replaced?",
        .remove: "Remove",
        .removeOther:
            """
        You confirm the removal on another of your devices. Then this device cannot sign you in any more, and all \
        sign-ins end.
        """,
        .removeLast:
            """
        This is your last device: you confirm on it, and without it you cannot sign in any more. If it is \
        lost, ask the service to remove it.
        """,
        .renamed: "The device has its new name.",
        .removed: "The device is removed.",
        .nameRefused: "This name cannot be used: it is empty, too long, or another device has it.",
        .deviceUnknown: "There is no such device.",
        .confirmRemoval: "Confirm with another device first, then remove it within two minutes.",
        .history: "History",
        .historyCaption: "The latest events of your account, newest first; times in UTC",
        .historyAdvice: "If you do not recognise an entry, remove the device concerned and tell the service.",
        .noHistory: "Nothing has happened yet.",
        .when: "When",
        .happened: "Event",
        .details: "Details",
        .historySignIn: "Signed in",
        .historyPayment: "Text confirmed",
        .historyDenied: "Declined or failed",
        .historyReported: "Reported: not requested",
        .historyDeviceAdded: "Device added",
        .historyDeviceRemoved: "Device removed",
        .historyPasskeyAdded: "Passkey added",
        .historyPasskeyRemoved: "Passkey removed",
        .passkeyNoticeTitle: "New passkey on your account",
        .historyLocked: "Account locked",
        .announcementTitle: "New device on your account",
        .announcementBody: "If this was not you, remove it on the page of your devices.",
        .backToSite: "Back to the site",
        .logOutTitle: "Sign out?",
        .logOutAsk: "You are about to end your session in this browser.",
        .logOut: "Sign out",
        .loggedOutTitle: "You are signed out",
        .loggedOut: "You can close this window.",
        .frontTitle: "Sign-in service",
        .frontLead: "Web sites send you here when you sign in with your phone.",
        .frontInterface: "Interface for programs (OpenAPI)",
        .data: "What is kept of me",
        .dataLead: "Everything that this service keeps of you; state of",
        .dataAdvice: "Before it shows everything, you confirm with your phone once more.",
        .dataShow: "Show",
        .dataFile: "Save as a file (JSON)",
        .dataNone: "Nothing",
        .dataAccount: "Account",
        .dataDevices: "Devices",
        .dataCredentials: "Keys",
        .dataOperations: "Operations under way",
        .dataSessions: "Sessions",
        .dataGrants: "Sites with access",
        .dataReceipts: "Receipts",
        .dataAudit: "Records of the audit",
        .refusedTitle: "This does not work",
        .refusedUnknownClient:
            """
        The site that sent you here is not known to this server. Go back and tell its operator.
        """,
        .refusedRedirect:
            """
        The site asked to send you to an address that is not registered. For your protection this page leads \
        nowhere.
        """,
        .refusedMalformed: "The request of the site is not correct. Go back and tell its operator.",
        .refusedOtherBrowser:
            """
        There is no such sign-in in this browser. It is over, made way for others while very many were open, \
        or began in another browser. Go back to the site and begin again.
        """,
        .refusedExpired: "This sign-in is over. Go back to the site and begin again.",
        .refusedForm:
            """
        The form is not complete, or it is from another page. Nothing was done. Go back, load the page anew, and \
        try again.
        """,
        .refusedTooMany: "Too many sign-ins are open at the moment. Try again in a minute.",
        .refusedUnavailable: "The server cannot do this at the moment. Try again in a minute.",
        .codes: "Recovery codes",
        .codesAdvice:
            """
        With a code and a waiting time you add a new phone when you have none any more. Keep the codes apart from \
        your phone. Before they are shown, you confirm with your phone once more.
        """,
        .codesLeft: "Codes left:",
        .codesMake: "Make new codes",
        .codesOnce:
            """
        These codes are shown this once. Write them down or print them. Each works once; earlier codes work no \
        more.
        """,
        .codesUse: "You use a code at",
        .recoverTitle: "I have no phone any more",
        .recoverLead: "Enter your user name and one of your recovery codes.",
        .recoverCode: "Recovery code",
        .recoverBegin: "Begin the wait",
        .recoverAdvice:
            """
        The code is then used up, a waiting time begins, and all your phones are told. Come back with this browser \
        when it is over.
        """,
        .recoverWrong: "User name or code is wrong.",
        .recoverThrottled: "Too many tries. Try again in a quarter of an hour.",
        .recoverWaits: "The waiting time has begun. This page shows more from (UTC)",
        .recoverWaitsAdvice:
            """
        Keep this browser and come back then. Your phones were told: with each of them you can end this.
        """,
        .recoverOpen: "The waiting time is over. This page is open until (UTC)",
        .recoverScan: "Scan this code with the app on your new phone. It works for a few minutes, for one phone.",
        .recoverInvite: "Show a code for my new phone",
        .recoverPhones: "Remove the phones that you have lost",
        .recoverOver: "This recovery is over: it was ended, its time has passed, or you have a new phone.",
        .recoverUnderWay:
            """
        A new phone was asked for on your account without any of your phones. If this was not you, end it before \
        (UTC)
        """,
        .recoverNotMe: "This was not me: end it",
        .recoverStopped: "It is ended. Your recovery codes work no more; make new ones.",
        .recoverNoneUnderWay: "There is nothing to end.",
        .weakerNoticeTitle: "A weaker way to sign in was refused",
        .weakerNoticeBody: "Your account has a stronger one. If this was not you, remove the weaker one.",
        .recoveryNoticeTitle: "Recovery of your account",
        .recoveryNoticeBody: "If this was not you, end it on the page of your devices.",
        .passkeySignIn: "Sign in with a passkey",
        .passkeyUserName: "User name (may stay empty)",
        .passkeyUnused: "No passkey was used.",
        .passkeyRefused: "This passkey does not let you in. Use your phone, or another passkey.",
        .passkeyWeaker:
            """
        Your account has a stronger way to sign in, and only that one lets you in. After it is removed, a \
        waiting time passes before this passkey does.
        """,
        .passkeyTooWeak: "This site asks for your phone; a passkey is not enough.",
        .passkeys: "Passkeys",
        .passkeysAdvice:
            """
        With a passkey you sign in where no phone is registered any more. Before you add or remove one, you confirm \
        once more.
        """,
        .passkeyOnOne: "stays on its device",
        .passkeyOnSeveral: "may be on several devices",
        .lastUsed: "last used on",
        .neverUsed: "not used yet",
        .passkeyName: "Name of the new passkey",
        .passkeyAdd: "Add a passkey",
        .passkeyAdded: "The passkey is added.",
        .passkeyRenamed: "The passkey has its new name.",
        .passkeyRemoved: "The passkey is removed.",
        .passkeyRemoval:
            """
        It cannot sign you in any more then, and the sign-ins that it has made end. Your browser or your key may \
        still offer it: remove it there, too.
        """,
        .passkeyUnknown: "There is no such passkey.",
        .passkeyUnusable:
            "This passkey cannot be taken: its answer does not hold, or this service does not take its kind.",
        .passkeyTooMany: "You have as many passkeys as one may have. Remove one first.",
        .passkeyKnown: "There is a passkey of yours here already.",
        .removeLastPhone:
            """
        This is your last phone: you confirm on it, and all sign-ins end. Your passkeys let you in only after a \
        waiting time.
        """,
        .historyRecoveryBegun: "Recovery without a phone begun",
        .historyRecoveryEnded: "Recovery without a phone ended",
    ]
}
