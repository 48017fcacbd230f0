import ArgumentParser
import BackendAPI
import CommandSupport
import UAF

/// Options of `dispatch register`, `authenticate` and `deregister` for the delivery of a token to a phone.
struct DispatchOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            link, png-qr-code, link-png-qr-code or firebase-cloud-messaging; by default the dispatcher of the target, \
            without a target the first of these that is configured.
            """,
            valueName: "name"), transform: { DispatcherName(rawValue: $0) })
    var dispatcher: DispatcherName?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Id of the phone, as \"devices list\" shows it.", valueName: "id"))
    var target: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How the user ties the phone to this screen: typed, compare or none; by default as configured.",
            valueName: "mode"), transform: Self.mode)
    var channelLinking: ChannelLinkingMethod?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Address at which phones reach the server, if it differs from the configuration (\"serve --port\").",
            valueName: "url"))
    var server: String?

    @Option(
        name: .customLong("out"),
        help: ArgumentHelp(
            "File for the picture of the QR code, instead of drawing it here; only its owner may read it.",
            valueName: "file.png"))
    var pictureFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Wait for the end of the operation, at most this long.", valueName: "seconds"))
    var wait: Int?

    func validate() throws {
        if let wait, !(1...3_600).contains(wait) { throw ValidationError("Wait for 1 to 3600 seconds.") }
        if let server, !server.hasPrefix("https://") { throw ValidationError("--server begins with https://.") }
        if pictureFile != nil, let dispatcher, dispatcher == .firebaseCloudMessaging {
            throw ValidationError("\(dispatcher.rawValue) makes no picture; leave out --out.")
        }
    }

    /// The requested dispatcher, else the first one that needs no target; nil leaves the choice to the target.
    ///
    /// Throws a ``CommandFailure`` when it is not one of the `configured` ones.
    func dispatcher(among configured: [DispatcherName]) throws(CommandFailure) -> DispatcherName? {
        guard target == nil || dispatcher != nil else { return nil }
        let byPreference: [DispatcherName] = [.link, .linkPNGQRCode, .pngQRCode, .firebaseCloudMessaging]
        guard let name = dispatcher ?? byPreference.first(where: configured.contains), configured.contains(name) else {
            throw CommandFailure(dispatchResult: .dispatcherNotFound, configured: configured)
        }
        return name
    }

    static func userName(_ text: String) throws(ValidationError) -> UserName {
        guard let name = UserName(text) else { throw ValidationError("A user's name has 1 to 128 characters.") }
        return name
    }

    @Sendable private static func mode(_ text: String) throws(ValidationError) -> ChannelLinkingMethod {
        guard let mode = ChannelLinkingMethod(rawValue: text) else {
            throw ValidationError("Phones are linked by typed, compare or none.")
        }
        return mode
    }
}

extension DispatcherName {
    var draws: Bool { self == .pngQRCode || self == .linkPNGQRCode }
}
