import ArgumentParser
import BackendAPI
import CommandSupport
import StrictJSON

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
        if pictureFile != nil, let dispatcher, dispatcher == .firebaseCloudMessaging {
            throw ValidationError("\(dispatcher.rawValue) makes no picture; leave out --out.")
        }
    }

    /// Members of a request beside what it is about.
    var members: JSONObject {
        [
            "dispatcher": (dispatcher?.rawValue).map { .string($0) }, "device": target.map { .string($0) },
            "linking": (channelLinking?.rawValue).map { .string($0) },
        ]
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
