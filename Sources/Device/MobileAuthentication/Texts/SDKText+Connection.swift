import BackendTransport
import Foundation

// Texts for connections that gave no answer: what happened, and what the person can do.
extension SDKText {
    static let unreachableServer = SDKText(
        "The server could not be reached.",
        de: "Der Server ist nicht erreichbar.",
        fr: "Le serveur n’a pas pu être atteint.",
        it: "Il server non è raggiungibile.")

    static let unknownHost = SDKText(
        "The name of the server was not found.",
        de: "Der Name des Servers wurde nicht gefunden.",
        fr: "Le nom du serveur est introuvable.",
        it: "Il nome del server non è stato trovato.")

    static let closedPort = SDKText(
        "The server takes no connections at the moment.",
        de: "Der Server nimmt im Moment keine Verbindungen an.",
        fr: "Le serveur n’accepte pas de connexions pour le moment.",
        it: "Il server al momento non accetta connessioni.")

    static let lateServer = SDKText(
        "The server did not answer in time.",
        de: "Der Server hat nicht rechtzeitig geantwortet.",
        fr: "Le serveur n’a pas répondu à temps.",
        it: "Il server non ha risposto in tempo.")

    static let interception = SDKText(
        "The server could not prove who it is: another party may stand between it and this device.",
        de: "Der Server konnte sich nicht ausweisen: Zwischen ihm und diesem Gerät kann jemand mithören.",
        fr: "Le serveur n’a pas pu prouver son identité: un tiers est peut-être entre lui et cet appareil.",
        it: "Il server non ha potuto dimostrare chi è: qualcuno può trovarsi tra esso e questo dispositivo.")

    static let wrongHost = SDKText(
        "What answered is another server than the one that was asked for.",
        de: "Geantwortet hat ein anderer Server als der gefragte.",
        fr: "Un autre serveur que celui demandé a répondu.",
        it: "Ha risposto un server diverso da quello richiesto.")

    static let wrongKey = SDKText(
        "The server has another key than this app knows of it: another party may stand between it and this device.",
        de: "Der Server hat einen anderen Schlüssel als den, den diese App kennt: Vielleicht hört jemand mit.",
        fr: "Le serveur a une autre clé que celle que cette app connaît: un tiers est peut-être entre les deux.",
        it: "Il server ha una chiave diversa da quella nota a questa app: qualcuno può trovarsi in mezzo.")

    static let noCommonTLS = SDKText(
        "A protected connection to the server could not be agreed on.",
        de: "Mit dem Server kam keine geschützte Verbindung zustande.",
        fr: "Aucune connexion protégée avec le serveur n’a pu être établie.",
        it: "Non è stato possibile concordare una connessione protetta con il server.")

    static let strangeServer = SDKText(
        "What answered at the address of the server is not a web server.",
        de: "Unter der Adresse des Servers antwortet etwas anderes als ein Webserver.",
        fr: "Ce qui répond à l’adresse du serveur n’est pas un serveur web.",
        it: "Ciò che risponde all’indirizzo del server non è un server web.")

    static let unexpectedAnswer = SDKText(
        "The server did not answer as expected.",
        de: "Der Server hat nicht wie erwartet geantwortet.",
        fr: "Le serveur n’a pas répondu comme prévu.",
        it: "Il server non ha risposto come previsto.")

    static let wrongSettings = SDKText(
        "The app has settings for the server that cannot be used.",
        de: "Die App hat unbrauchbare Einstellungen für den Server.",
        fr: "L’app a des réglages inutilisables pour le serveur.",
        it: "L’app ha impostazioni inutilizzabili per il server.")

    static let foreignConnection = SDKText(
        "The connection that this device used was not the server's own: another party stands between them.",
        de: "Die Verbindung dieses Geräts war nicht die des Servers: Dazwischen steht ein Dritter.",
        fr: "La connexion de cet appareil n’était pas celle du serveur: un tiers se trouve entre les deux.",
        it: "La connessione di questo dispositivo non era quella del server: c’è qualcuno in mezzo.")

    static let leaveNetwork = SDKText(
        "Do not go on in this network. Check the date of the device and try another network; if it happens there too, ask "
            + "your provider.",
        de:
            "Fahren Sie in diesem Netz nicht fort. Prüfen Sie das Datum des Geräts und versuchen Sie es in einem anderen "
            + "Netz; geschieht es auch dort, fragen Sie Ihren Anbieter.",
        fr: "Ne continuez pas sur ce réseau. Vérifiez la date de l’appareil et essayez un autre réseau; si cela se "
            + "reproduit, adressez-vous à votre fournisseur.",
        it:
            "Non continui in questa rete. Controlli la data del dispositivo e provi un’altra rete; se succede anche lì, si "
            + "rivolga al Suo fornitore.")

    static let leaveNetworkOrUpdate = SDKText(
        "Do not go on in this network. Try another one; if it happens there too, update the app or ask your provider.",
        de: "Fahren Sie in diesem Netz nicht fort. Versuchen Sie es in einem anderen; geschieht es auch dort, "
            + "aktualisieren Sie die App oder fragen Sie Ihren Anbieter.",
        fr: "Ne continuez pas sur ce réseau. Essayez-en un autre; si cela se reproduit, mettez l’app à jour ou "
            + "adressez-vous à votre fournisseur.",
        it: "Non continui in questa rete. Ne provi un’altra; se succede anche lì, aggiorni l’app o si rivolga al Suo "
            + "fornitore.")

    static let leaveNetworkAndTell = SDKText(
        "Do not go on in this network. Tell your provider, and sign in from another network.",
        de:
            "Fahren Sie in diesem Netz nicht fort. Melden Sie es Ihrem Anbieter, und melden Sie sich aus einem anderen Netz "
            + "an.",
        fr: "Ne continuez pas sur ce réseau. Prévenez votre fournisseur et connectez-vous depuis un autre réseau.",
        it: "Non continui in questa rete. Avvisi il Suo fornitore e acceda da un’altra rete.")

    static let logInToNetwork = SDKText(
        "If the network wants you to log in first, as in a hotel, do so and try again; else ask your provider.",
        de:
            "Wenn das Netz zuerst eine Anmeldung verlangt, wie im Hotel, melden Sie sich dort an und versuchen Sie es noch "
            + "einmal; sonst fragen Sie Ihren Anbieter.",
        fr:
            "Si le réseau demande d’abord une connexion, comme à l’hôtel, faites-la et réessayez; sinon, adressez-vous à "
            + "votre fournisseur.",
        it: "Se la rete chiede prima un accesso, come in albergo, lo faccia e riprovi; altrimenti si rivolga al Suo "
            + "fornitore.")

    static let checkInternet = SDKText(
        "Check that this device is connected to the internet, then try again.",
        de: "Prüfen Sie, ob dieses Gerät mit dem Internet verbunden ist, und versuchen Sie es dann noch einmal.",
        fr: "Vérifiez que cet appareil est connecté à Internet, puis réessayez.",
        it: "Controlli che questo dispositivo sia connesso a Internet, poi riprovi.")

    static let betterNetwork = SDKText(
        "Try again where the connection is better.",
        de: "Versuchen Sie es noch einmal, wo die Verbindung besser ist.",
        fr: "Réessayez là où la connexion est meilleure.",
        it: "Riprovi dove la connessione è migliore.")

    /// Text for a `NetworkError` with this cause: there was no response, or an unusable one.
    static func network(_ cause: (any Error)?) -> SDKText {
        if let failure = BackendTransportError(behind: cause) { return failure.texts.description }
        return switch cause {
        case let error as HTTPStatusError where error.isOverload: busyServer
        case let error as HTTPStatusError: error.endsWithTime ? hinderedServer : unexpectedAnswer
        case let error as URLError where error.isAboutAnAnswer: unexpectedAnswer
        default: unreachableServer
        }
    }
}

extension URLError {
    /// Whether the server answered, with something that cannot be read.
    fileprivate var isAboutAnAnswer: Bool {
        [.badServerResponse, .cannotParseResponse, .dataLengthExceedsMaximum].contains(code)
    }
}

extension BackendTransportError {
    /// The error of the transport that an application found in this form; nil for a cause of another kind.
    package init?(behind cause: (any Error)?) {
        switch cause {
        case let error as BackendTransportError: self = error
        case is InsecureAddressError: self = .insecureAddress
        case is ProductionHostError: self = .refusedHost
        case let error as URLError:
            if let error = error.userInfo[NSUnderlyingErrorKey] as? BackendTransportError {
                self = error
            } else if error.code == .timedOut {
                self = .timedOut
            } else {
                return nil
            }
        default: return nil
        }
    }

    /// The error that an application finds as the cause of a `NetworkError`: one of the SDK, or a `URLError` that has
    /// this one and its words with it.
    var forApplication: any Error {
        let code: URLError.Code
        switch self {
        case .insecureAddress: return InsecureAddressError()
        case .refusedHost: return ProductionHostError()
        case .cancelled: return CancellationError()
        case .unusableHeaderField: return InvalidParameterError("requestHeaders")
        case .unusableTrustSettings: return InvalidParameterError("additionalTrustedCertificates")
        case .unusableAddress: code = .badURL
        case .noConnection, .closedPort: code = .cannotConnectToHost
        case .unknownHost: code = .cannotFindHost
        case .untrustedConnection(.handshake): code = .secureConnectionFailed
        case .untrustedConnection: code = .serverCertificateUntrusted
        case .timedOut: code = .timedOut
        case .responseTooLarge: code = .dataLengthExceedsMaximum
        case .malformedResponse: code = .badServerResponse
        @unknown default: code = .unknown
        }
        return URLError(
            code,
            userInfo: [
                NSUnderlyingErrorKey: self, NSLocalizedDescriptionKey: texts.description.localized,
                NSLocalizedRecoverySuggestionErrorKey: texts.recovery.localized,
            ])
    }

    /// Description for the person, and the way out.
    var texts: (description: SDKText, recovery: SDKText) {
        switch self {
        case .noConnection: (.unreachableServer, .tryAgain)
        case .unknownHost: (.unknownHost, .checkInternet)
        case .closedPort: (.closedPort, .waitAndTryAgain)
        case .timedOut: (.lateServer, .betterNetwork)
        case .untrustedConnection(.wrongHost): (.wrongHost, .leaveNetwork)
        case .untrustedConnection(.pinMismatch): (.wrongKey, .leaveNetworkOrUpdate)
        case .untrustedConnection(.handshake): (.noCommonTLS, .updateOrAskProvider)
        case .untrustedConnection: (.interception, .leaveNetwork)
        case .malformedResponse: (.strangeServer, .logInToNetwork)
        case .responseTooLarge: (.unexpectedAnswer, .askProvider)
        case .insecureAddress: (.insecureTransport, .updateOrAskProvider)
        case .cancelled: (.canceled, .tryAgain)
        case .unusableAddress, .refusedHost, .unusableHeaderField, .unusableTrustSettings:
            (.wrongSettings, .updateOrAskProvider)
        @unknown default: (.unreachableServer, .tryAgain)
        }
    }
}
