extension PageTexts {
    static let french: [PageText: String] = [
        .skip: "Aller au contenu",
        .languages: "Langues",
        .addressLabel: "Cette page appartient à",
        .addressAdvice: "Vérifiez que votre navigateur affiche cette adresse.",
        .signIn: "Se connecter avec le téléphone",
        .signInLead: "Vous serez connecté à",
        .confirmText: "Confirmer avec le téléphone",
        .confirmLead: "Une confirmation est demandée par",
        .textLabel: "Vous devez confirmer",
        .textAdvice:
            """
        Votre téléphone affiche le même texte. Ne confirmez que si les deux sont identiques ; vous acceptez \
        uniquement sur le téléphone.
        """,
        .scan: "Scannez ce code avec l’application de votre téléphone. Il se renouvelle automatiquement.",
        .codeAlternative: "Code QR pour l’application de votre téléphone",
        .openHere: "Ouvrir l’application sur cet appareil",
        .digitsLabel: "Nombre pour votre téléphone",
        .digitsEnter: "Saisissez ce nombre sur votre téléphone.",
        .digitsCompare: "Ne confirmez que si votre téléphone affiche le même nombre.",
        .pushed: "Si cet utilisateur existe et possède un téléphone, un message est en route. Ouvrez-le et confirmez.",
        .pushInstead: "Envoyer plutôt un message à mon téléphone",
        .userName: "Nom d’utilisateur",
        .sendPush: "Envoyer",
        .codeInstead: "Afficher plutôt un code QR",
        .newCode: "Réessayer avec un nouveau code",
        .`continue`: "Continuer",
        .cancel: "Annuler et revenir",
        .whereLabel: "Est-ce bien vous ?",
        .siteLabel: "Site",
        .browserLabel: "Navigateur",
        .networkLabel: "Adresse réseau",
        .unknown: "inconnu",
        .notMe:
            """
        Si votre téléphone vous sollicite sans que vous ayez ouvert cette page vous-même, répondez « Ce \
        n’était pas moi ». Aucun service d’assistance ne vous demande de scanner un code.
        """,
        .stateWaiting: "En attente de votre téléphone",
        .stateShown: "Votre téléphone affiche la demande. Confirmez-y.",
        .stateConfirmed: "Confirmé. Vous allez être redirigé.",
        .stateDenied: "Vous avez refusé sur le téléphone. Personne n’a été connecté.",
        .stateReported: "Signalé : quelqu’un a indiqué ne pas en être à l’origine. Personne n’a été connecté.",
        .stateExpired: "Personne n’a répondu à temps.",
        .stateOffline: "Pas de connexion au serveur. Nouvel essai en cours.",
        .stateLater: "Le serveur ne peut pas solliciter votre téléphone pour le moment. Réessayez plus tard.",
        .myDevices: "Mes appareils",
        .signedInAs: "Connecté en tant que",
        .noDevices: "Aucun appareil n’est enregistré.",
        .addedOn: "Ajouté le",
        .receivesPush: "reçoit des messages",
        .confirmedHere: "a confirmé cette connexion",
        .rename: "Renommer",
        .newName: "Nouveau nom",
        .save: "Enregistrer",
        .lost: "Perdu ou remplacé ?",
        .remove: "Supprimer",
        .removeOther:
            """
        Vous confirmez la suppression sur un autre de vos appareils. Celui-ci ne connecte alors plus \
        personne et toutes les connexions prennent fin.
        """,
        .removeLast:
            """
        C’est votre dernier appareil : vous confirmez sur celui-ci et ne pourrez plus vous connecter \
        ensuite. S’il est perdu, demandez au service de le supprimer.
        """,
        .renamed: "L’appareil porte son nouveau nom.",
        .removed: "L’appareil est supprimé.",
        .nameRefused: "Ce nom est impossible : vide, trop long ou déjà utilisé.",
        .deviceUnknown: "Cet appareil n’existe pas.",
        .confirmRemoval: "Confirmez d’abord avec un autre appareil, puis supprimez celui-ci dans les deux minutes.",
        .history: "Historique",
        .historyCaption: "Derniers événements de votre compte, les plus récents d’abord ; heures en UTC",
        .historyAdvice:
            """
        Si vous ne reconnaissez pas un événement, supprimez l’appareil concerné et prévenez le service.
        """,
        .noHistory: "Il ne s’est encore rien passé.",
        .when: "Quand",
        .happened: "Événement",
        .details: "Détails",
        .historySignIn: "Connexion",
        .historyPayment: "Texte confirmé",
        .historyDenied: "Refusé ou échoué",
        .historyReported: "Signalé : non demandé",
        .historyDeviceAdded: "Appareil ajouté",
        .historyDeviceRemoved: "Appareil supprimé",
        .historyPasskeyAdded: "Clé d’accès ajoutée",
        .historyPasskeyRemoved: "Clé d’accès supprimée",
        .passkeyNoticeTitle: "Nouvelle clé d’accès sur votre compte",
        .historyLocked: "Compte verrouillé",
        .announcementTitle: "Nouvel appareil sur votre compte",
        .announcementBody: "Si ce n’était pas vous, supprimez-le sur la page de vos appareils.",
        .backToSite: "Retour au site",
        .logOutTitle: "Se déconnecter ?",
        .logOutAsk: "Vous allez mettre fin à votre session dans ce navigateur.",
        .logOut: "Se déconnecter",
        .loggedOutTitle: "Vous êtes déconnecté",
        .loggedOut: "Vous pouvez fermer cette fenêtre.",
        .frontTitle: "Service de connexion",
        .frontLead: "Les sites web vous envoient ici quand vous vous connectez avec votre téléphone.",
        .frontInterface: "Interface pour les programmes (OpenAPI)",
        .data: "Ce qui est conservé sur moi",
        .dataLead: "Tout ce que ce service conserve sur vous ; état du",
        .dataAdvice: "Avant l’affichage, vous confirmez encore une fois avec votre téléphone.",
        .dataShow: "Afficher",
        .dataFile: "Enregistrer dans un fichier (JSON)",
        .dataNone: "Rien",
        .dataAccount: "Compte",
        .dataDevices: "Appareils",
        .dataCredentials: "Clés",
        .dataOperations: "Opérations en cours",
        .dataSessions: "Sessions",
        .dataGrants: "Sites ayant accès",
        .dataReceipts: "Reçus",
        .dataAudit: "Journal",
        .refusedTitle: "Cela ne fonctionne pas",
        .refusedUnknownClient:
            """
        Le site qui vous a envoyé ici est inconnu de ce serveur. Revenez en arrière et prévenez son \
        exploitant.
        """,
        .refusedRedirect:
            """
        Le site voulait vous envoyer à une adresse non enregistrée. Pour votre protection, cette page ne \
        mène nulle part.
        """,
        .refusedMalformed: "La demande du site n’est pas correcte. Revenez en arrière et prévenez son exploitant.",
        .refusedOtherBrowser:
            """
        Cette connexion n’existe pas dans ce navigateur. Elle est terminée, a laissé la place à d’autres alors \
        qu’un très grand nombre étaient ouvertes, ou a commencé dans un autre navigateur. Revenez au site et recommencez.
        """,
        .refusedExpired: "Cette connexion a expiré. Revenez au site et recommencez.",
        .refusedForm:
            """
        Le formulaire est incomplet, ou il vient d’une autre page. Rien n’a été fait. Revenez en arrière, \
        rechargez la page et réessayez.
        """,
        .refusedTooMany: "Trop de connexions sont ouvertes en ce moment. Réessayez dans une minute.",
        .refusedUnavailable: "Le serveur ne peut pas le faire pour le moment. Réessayez dans une minute.",
        .codes: "Codes de récupération",
        .codesAdvice:
            """
        Avec un code et un délai d’attente, vous ajoutez un nouveau téléphone quand vous n’en avez plus. Gardez \
        les codes à part du téléphone. Avant qu’ils soient affichés, vous confirmez encore une fois avec votre \
        téléphone.
        """,
        .codesLeft: "Codes restants :",
        .codesMake: "Créer de nouveaux codes",
        .codesOnce:
            """
        Ces codes ne sont affichés que cette fois. Notez-les ou imprimez-les. Chacun sert une fois ; les codes \
        précédents ne sont plus valables.
        """,
        .codesUse: "Vous utilisez un code à l’adresse",
        .recoverTitle: "Je n’ai plus de téléphone",
        .recoverLead: "Entrez votre nom d’utilisateur et l’un de vos codes de récupération.",
        .recoverCode: "Code de récupération",
        .recoverBegin: "Commencer l’attente",
        .recoverAdvice:
            """
        Le code est alors utilisé, un délai d’attente commence et tous vos téléphones sont avertis. Revenez \
        ensuite avec ce navigateur.
        """,
        .recoverWrong: "Le nom d’utilisateur ou le code est faux.",
        .recoverThrottled: "Trop d’essais. Réessayez dans un quart d’heure.",
        .recoverWaits: "L’attente a commencé. Cette page en montre plus à partir de (UTC)",
        .recoverWaitsAdvice:
            """
        Gardez ce navigateur et revenez alors. Vos téléphones ont été avertis : avec chacun d’eux, vous pouvez y \
        mettre fin.
        """,
        .recoverOpen: "L’attente est terminée. Cette page est ouverte jusqu’à (UTC)",
        .recoverScan:
            """
        Scannez ce code avec l’application de votre nouveau téléphone. Il est valable quelques minutes, pour un \
        seul téléphone.
        """,
        .recoverInvite: "Afficher un code pour mon nouveau téléphone",
        .recoverPhones: "Supprimez les téléphones que vous avez perdus",
        .recoverOver:
            """
        Cette récupération est terminée : elle a été arrêtée, son délai est passé ou vous avez un nouveau \
        téléphone.
        """,
        .recoverUnderWay:
            """
        Un nouveau téléphone a été demandé pour votre compte sans aucun de vos téléphones. Si ce n’était pas vous, \
        mettez-y fin avant (UTC)
        """,
        .recoverNotMe: "Ce n’était pas moi : mettre fin",
        .recoverStopped: "C’est terminé. Vos codes de récupération ne sont plus valables ; créez-en de nouveaux.",
        .recoverNoneUnderWay: "Il n’y a rien à terminer.",
        .weakerNoticeTitle: "Un moyen de connexion plus faible a été refusé",
        .weakerNoticeBody: "Votre compte en a un plus fort. Si ce n’était pas vous, supprimez le plus faible.",
        .recoveryNoticeTitle: "Récupération de votre compte",
        .passkeySignIn: "Se connecter avec une clé d’accès",
        .passkeyUserName: "Nom d’utilisateur (facultatif)",
        .passkeyUnused: "Aucune clé d’accès n’a été utilisée.",
        .passkeyRefused:
            """
        Cette clé d’accès ne vous connecte pas. Prenez votre téléphone ou une autre clé d’accès.
        """,
        .passkeyWeaker:
            """
        Votre compte a un moyen de connexion plus fort, et lui seul vous connecte. Une fois supprimé, un délai \
        s’écoule avant que cette clé d’accès suffise.
        """,
        .passkeyTooWeak: "Ce site demande votre téléphone ; une clé d’accès ne suffit pas.",
        .passkeys: "Clés d’accès",
        .passkeysAdvice:
            """
        Avec une clé d’accès, vous vous connectez quand aucun téléphone n’est plus enregistré. Avant d’en ajouter \
        ou d’en supprimer une, vous confirmez encore une fois.
        """,
        .passkeyOnOne: "reste sur son appareil",
        .passkeyOnSeveral: "peut se trouver sur plusieurs appareils",
        .lastUsed: "utilisée la dernière fois le",
        .neverUsed: "jamais utilisée",
        .passkeyName: "Nom de la nouvelle clé d’accès",
        .passkeyAdd: "Ajouter une clé d’accès",
        .passkeyAdded: "La clé d’accès est ajoutée.",
        .passkeyRenamed: "La clé d’accès porte son nouveau nom.",
        .passkeyRemoved: "La clé d’accès est supprimée.",
        .passkeyRemoval:
            """
        Elle ne vous connecte plus ensuite, et les connexions faites avec elle prennent fin. Votre navigateur ou \
        votre clé la propose peut-être encore : supprimez-la aussi à cet endroit.
        """,
        .passkeyUnknown: "Cette clé d’accès n’existe pas.",
        .passkeyUnusable:
            """
        Cette clé d’accès n’est pas acceptée : sa réponse n’est pas valable, ou le service ne prend pas ce genre.
        """,
        .passkeyTooMany: "Vous avez le nombre maximal de clés d’accès. Supprimez-en d’abord une.",
        .passkeyKnown: "Une de vos clés d’accès se trouve déjà ici.",
        .removeLastPhone:
            """
        C’est votre dernier téléphone : vous confirmez sur celui-ci, et toutes les connexions prennent fin. Vos \
        clés d’accès ne suffisent qu’après un délai.
        """,
        .recoveryNoticeBody: "Si ce n’était pas vous, mettez-y fin sur la page de vos appareils.",
        .historyRecoveryBegun: "Récupération sans téléphone commencée",
        .historyRecoveryEnded: "Récupération sans téléphone arrêtée",
    ]
}
