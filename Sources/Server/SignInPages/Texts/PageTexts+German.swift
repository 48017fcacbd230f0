extension PageTexts {
    static let german: [PageText: String] = [
        .skip: "Zum Inhalt springen",
        .languages: "Sprachen",
        .addressLabel: "Diese Seite gehört zu",
        .addressAdvice: "Prüfen Sie, ob Ihr Browser diese Adresse zeigt.",
        .signIn: "Mit dem Telefon anmelden",
        .signInLead: "Sie werden angemeldet bei",
        .confirmText: "Mit dem Telefon bestätigen",
        .confirmLead: "Um eine Bestätigung bittet",
        .textLabel: "Das sollen Sie bestätigen",
        .textAdvice:
            """
        Ihr Telefon zeigt denselben Text. Bestätigen Sie nur, wenn beide gleich sind; zustimmen können Sie \
        nur auf dem Telefon.
        """,
        .scan: "Scannen Sie diesen Code mit der App auf Ihrem Telefon. Er erneuert sich von selbst.",
        .codeAlternative: "QR-Code für die App auf Ihrem Telefon",
        .openHere: "App auf diesem Gerät öffnen",
        .digitsLabel: "Zahl für Ihr Telefon",
        .digitsEnter: "Geben Sie diese Zahl auf Ihrem Telefon ein.",
        .digitsCompare: "Bestätigen Sie nur, wenn Ihr Telefon dieselbe Zahl zeigt.",
        .pushed:
            """
        Falls es diesen Benutzer mit einem Telefon gibt, ist eine Nachricht unterwegs. Öffnen und bestätigen \
        Sie sie.
        """,
        .pushInstead: "Stattdessen eine Nachricht an mein Telefon senden",
        .userName: "Benutzername",
        .sendPush: "Senden",
        .codeInstead: "Stattdessen einen QR-Code zeigen",
        .newCode: "Mit neuem Code erneut versuchen",
        .`continue`: "Weiter",
        .cancel: "Abbrechen und zurückkehren",
        .whereLabel: "Sind Sie das?",
        .siteLabel: "Website",
        .browserLabel: "Browser",
        .networkLabel: "Netzwerkadresse",
        .unknown: "unbekannt",
        .notMe:
            """
        Wenn Ihr Telefon fragt und Sie diese Seite nicht selbst geöffnet haben, antworten Sie dort „Das war \
        ich nicht“. Niemand vom Support bittet Sie je, einen Code zu scannen.
        """,
        .stateWaiting: "Warten auf Ihr Telefon",
        .stateShown: "Ihr Telefon zeigt die Anfrage. Bestätigen Sie dort.",
        .stateConfirmed: "Bestätigt. Sie werden zurückgeleitet.",
        .stateDenied: "Sie haben auf dem Telefon abgelehnt. Niemand wurde angemeldet.",
        .stateReported: "Gemeldet: Jemand hat angegeben, dies nicht veranlasst zu haben. Niemand wurde angemeldet.",
        .stateExpired: "Niemand hat rechtzeitig geantwortet.",
        .stateOffline: "Keine Verbindung zum Server. Neuer Versuch läuft.",
        .stateLater: "Der Server kann Ihr Telefon im Moment nicht fragen. Versuchen Sie es später erneut.",
        .myDevices: "Meine Geräte",
        .signedInAs: "Angemeldet als",
        .noDevices: "Kein Gerät ist registriert.",
        .addedOn: "Hinzugefügt am",
        .receivesPush: "empfängt Nachrichten",
        .confirmedHere: "hat diese Anmeldung bestätigt",
        .rename: "Umbenennen",
        .newName: "Neuer Name",
        .save: "Speichern",
        .lost: "Verloren oder ersetzt?",
        .remove: "Entfernen",
        .removeOther:
            """
        Sie bestätigen das Entfernen auf einem anderen Ihrer Geräte. Danach meldet dieses niemanden mehr an, \
        und alle Anmeldungen enden.
        """,
        .removeLast:
            """
        Das ist Ihr letztes Gerät: Sie bestätigen auf ihm selbst und können sich danach nicht mehr anmelden. \
        Ist es verloren, bitten Sie den Dienst, es zu entfernen.
        """,
        .renamed: "Das Gerät hat seinen neuen Namen.",
        .removed: "Das Gerät ist entfernt.",
        .nameRefused: "Dieser Name ist nicht möglich: Er ist leer, zu lang oder schon vergeben.",
        .deviceUnknown: "Dieses Gerät gibt es nicht.",
        .confirmRemoval:
            """
        Bestätigen Sie zuerst mit einem anderen Gerät und entfernen Sie es dann innerhalb von zwei Minuten.
        """,
        .history: "Verlauf",
        .historyCaption: "Die letzten Ereignisse Ihres Kontos, neueste zuerst; Zeiten in UTC",
        .historyAdvice:
            """
        Wenn Sie einen Eintrag nicht kennen, entfernen Sie das betroffene Gerät und melden Sie sich beim \
        Dienst.
        """,
        .noHistory: "Bisher ist nichts geschehen.",
        .when: "Wann",
        .happened: "Ereignis",
        .details: "Einzelheiten",
        .historySignIn: "Angemeldet",
        .historyPayment: "Text bestätigt",
        .historyDenied: "Abgelehnt oder misslungen",
        .historyReported: "Gemeldet: nicht veranlasst",
        .historyDeviceAdded: "Gerät hinzugefügt",
        .historyDeviceRemoved: "Gerät entfernt",
        .historyPasskeyAdded: "Passkey hinzugefügt",
        .historyPasskeyRemoved: "Passkey entfernt",
        .passkeyNoticeTitle: "Neuer Passkey in Ihrem Konto",
        .historyLocked: "Konto gesperrt",
        .announcementTitle: "Neues Gerät in Ihrem Konto",
        .announcementBody: "Falls Sie das nicht waren, entfernen Sie es auf der Seite Ihrer Geräte.",
        .backToSite: "Zurück zur Website",
        .logOutTitle: "Abmelden?",
        .logOutAsk: "Sie beenden Ihre Sitzung in diesem Browser.",
        .logOut: "Abmelden",
        .loggedOutTitle: "Sie sind abgemeldet",
        .loggedOut: "Sie können dieses Fenster schliessen.",
        .frontTitle: "Anmeldedienst",
        .frontLead: "Websites leiten Sie hierher, wenn Sie sich mit Ihrem Telefon anmelden.",
        .frontInterface: "Schnittstelle für Programme (OpenAPI)",
        .data: "Was über mich gespeichert ist",
        .dataLead: "Alles, was dieser Dienst über Sie speichert; Stand",
        .dataAdvice: "Bevor alles gezeigt wird, bestätigen Sie noch einmal mit dem Telefon.",
        .dataShow: "Zeigen",
        .dataFile: "Als Datei speichern (JSON)",
        .dataNone: "Nichts",
        .dataAccount: "Konto",
        .dataDevices: "Geräte",
        .dataCredentials: "Schlüssel",
        .dataOperations: "Laufende Vorgänge",
        .dataSessions: "Sitzungen",
        .dataGrants: "Websites mit Zugriff",
        .dataReceipts: "Quittungen",
        .dataAudit: "Protokoll",
        .refusedTitle: "Das geht so nicht",
        .refusedUnknownClient:
            """
        Die Website, die Sie hierher geschickt hat, ist diesem Server nicht bekannt. Gehen Sie zurück und \
        melden Sie es dem Betreiber.
        """,
        .refusedRedirect:
            """
        Die Website wollte Sie an eine Adresse schicken, die nicht registriert ist. Zu Ihrem Schutz führt \
        diese Seite nirgendwohin.
        """,
        .refusedMalformed:
            """
        Die Anfrage der Website ist nicht richtig. Gehen Sie zurück und melden Sie es dem Betreiber.
        """,
        .refusedOtherBrowser:
            """
        In diesem Browser gibt es diese Anmeldung nicht. Sie ist vorbei, musste anderen weichen, weil sehr viele \
        offen waren, oder begann in einem anderen Browser. Gehen Sie zur Website zurück und beginnen Sie erneut.
        """,
        .refusedExpired: "Diese Anmeldung ist abgelaufen. Gehen Sie zur Website zurück und beginnen Sie erneut.",
        .refusedForm:
            """
        Das Formular ist nicht vollständig, oder es kommt von einer anderen Seite. Es wurde nichts getan. Gehen \
        Sie zurück, laden Sie die Seite neu, und versuchen Sie es erneut.
        """,
        .refusedTooMany: "Im Moment sind zu viele Anmeldungen offen. Versuchen Sie es in einer Minute erneut.",
        .refusedUnavailable: "Der Server kann dies im Moment nicht. Versuchen Sie es in einer Minute erneut.",
        .codes: "Wiederherstellungscodes",
        .codesAdvice:
            """
        Mit einem Code und einer Wartezeit fügen Sie ein neues Telefon hinzu, wenn Sie keines mehr haben. Bewahren \
        Sie die Codes getrennt vom Telefon auf. Bevor sie gezeigt werden, bestätigen Sie noch einmal mit Ihrem \
        Telefon.
        """,
        .codesLeft: "Übrige Codes:",
        .codesMake: "Neue Codes erstellen",
        .codesOnce:
            """
        Diese Codes werden nur dieses eine Mal gezeigt. Schreiben Sie sie auf oder drucken Sie sie. Jeder gilt \
        einmal; frühere Codes gelten nicht mehr.
        """,
        .codesUse: "Einen Code verwenden Sie auf",
        .recoverTitle: "Ich habe kein Telefon mehr",
        .recoverLead: "Geben Sie Ihren Benutzernamen und einen Ihrer Wiederherstellungscodes ein.",
        .recoverCode: "Wiederherstellungscode",
        .recoverBegin: "Wartezeit beginnen",
        .recoverAdvice:
            """
        Der Code ist dann verbraucht, eine Wartezeit beginnt, und alle Ihre Telefone werden benachrichtigt. Kommen \
        Sie danach mit diesem Browser zurück.
        """,
        .recoverWrong: "Benutzername oder Code ist falsch.",
        .recoverThrottled: "Zu viele Versuche. Versuchen Sie es in einer Viertelstunde wieder.",
        .recoverWaits: "Die Wartezeit hat begonnen. Diese Seite zeigt mehr ab (UTC)",
        .recoverWaitsAdvice:
            """
        Behalten Sie diesen Browser und kommen Sie dann zurück. Ihre Telefone wurden benachrichtigt: Mit jedem \
        davon können Sie dies beenden.
        """,
        .recoverOpen: "Die Wartezeit ist vorbei. Diese Seite ist offen bis (UTC)",
        .recoverScan:
            """
        Scannen Sie diesen Code mit der App auf Ihrem neuen Telefon. Er gilt einige Minuten, für ein Telefon.
        """,
        .recoverInvite: "Code für mein neues Telefon zeigen",
        .recoverPhones: "Entfernen Sie die Telefone, die Sie verloren haben",
        .recoverOver:
            """
        Diese Wiederherstellung ist vorbei: Sie wurde beendet, ihre Zeit ist um, oder Sie haben ein neues Telefon.
        """,
        .recoverUnderWay:
            """
        Für Ihr Konto wurde ohne eines Ihrer Telefone ein neues Telefon verlangt. Waren Sie das nicht, beenden Sie \
        es vor (UTC)
        """,
        .recoverNotMe: "Das war ich nicht: beenden",
        .recoverStopped: "Es ist beendet. Ihre Wiederherstellungscodes gelten nicht mehr; erstellen Sie neue.",
        .recoverNoneUnderWay: "Es gibt nichts zu beenden.",
        .weakerNoticeTitle: "Ein schwächerer Weg zur Anmeldung wurde abgelehnt",
        .weakerNoticeBody: "Ihr Konto hat einen stärkeren. Waren Sie das nicht, entfernen Sie den schwächeren.",
        .recoveryNoticeTitle: "Wiederherstellung Ihres Kontos",
        .passkeySignIn: "Mit einem Passkey anmelden",
        .passkeyUserName: "Benutzername (darf leer bleiben)",
        .passkeyUnused: "Es wurde kein Passkey verwendet.",
        .passkeyRefused: "Mit diesem Passkey geht es nicht. Nehmen Sie das Telefon oder einen anderen Passkey.",
        .passkeyWeaker:
            """
        Ihr Konto hat eine stärkere Art der Anmeldung, und nur mit ihr melden Sie sich an. Ist sie entfernt, \
        vergeht eine Wartezeit, bevor dieser Passkey genügt.
        """,
        .passkeyTooWeak: "Diese Website verlangt Ihr Telefon; ein Passkey genügt nicht.",
        .passkeys: "Passkeys",
        .passkeysAdvice:
            """
        Mit einem Passkey melden Sie sich an, wenn kein Telefon mehr registriert ist. Bevor Sie einen hinzufügen \
        oder entfernen, bestätigen Sie noch einmal.
        """,
        .passkeyOnOne: "bleibt auf seinem Gerät",
        .passkeyOnSeveral: "kann auf mehreren Geräten sein",
        .lastUsed: "zuletzt verwendet am",
        .neverUsed: "noch nie verwendet",
        .passkeyName: "Name des neuen Passkeys",
        .passkeyAdd: "Passkey hinzufügen",
        .passkeyAdded: "Der Passkey ist hinzugefügt.",
        .passkeyRenamed: "Der Passkey hat seinen neuen Namen.",
        .passkeyRemoved: "Der Passkey ist entfernt.",
        .passkeyRemoval:
            """
        Danach meldet er Sie nicht mehr an, und die Anmeldungen mit ihm enden. Ihr Browser oder Ihr Schlüssel \
        bietet ihn vielleicht noch an: Entfernen Sie ihn auch dort.
        """,
        .passkeyUnknown: "Diesen Passkey gibt es nicht.",
        .passkeyUnusable:
            """
        Dieser Passkey wird nicht angenommen: Seine Antwort stimmt nicht, oder der Dienst nimmt seine Art nicht.
        """,
        .passkeyTooMany: "Sie haben so viele Passkeys, wie man haben kann. Entfernen Sie zuerst einen.",
        .passkeyKnown: "Hier ist schon ein Passkey von Ihnen.",
        .removeLastPhone:
            """
        Das ist Ihr letztes Telefon: Sie bestätigen auf ihm selbst, und alle Anmeldungen enden. Ihre Passkeys \
        genügen erst nach einer Wartezeit.
        """,
        .recoveryNoticeBody: "Waren Sie das nicht, beenden Sie sie auf der Seite Ihrer Geräte.",
        .historyRecoveryBegun: "Wiederherstellung ohne Telefon begonnen",
        .historyRecoveryEnded: "Wiederherstellung ohne Telefon beendet",
    ]
}
