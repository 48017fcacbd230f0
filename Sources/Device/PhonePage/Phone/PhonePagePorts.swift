package import MobileAuthentication
package import Octets

/// Connection of a phone page with what is beside the SDK: the folder of the phone and its settings.
package protocol PhonePagePorts: Sendable {
    var name: String { get }
    /// Base URL of the server.
    var server: String { get }
    var folder: String { get }
    var pushToken: Sensitive<String>? { get }

    /// Payload of a link, of an envelope, or of the text of a QR code; throws for what is none of them.
    func payload(of text: String) throws -> OutOfBandPayload

    /// Files of the phone, for "what is stored and where"; without their contents.
    func stored() -> [PhonePageStoredFile]

    /// Renames the phone in its settings; throws when they cannot be written.
    func rename(to name: String) throws

    /// Marks the phone as lost: the server of the page destroys keys and folder at the end.
    func lose()
}

/// File of a phone, by its name and size.
package struct PhonePageStoredFile: Sendable, Hashable {
    /// Path within the folder.
    package let name: String
    package let byteCount: Int

    package init(name: String, byteCount: Int) {
        self.name = name
        self.byteCount = byteCount
    }
}
