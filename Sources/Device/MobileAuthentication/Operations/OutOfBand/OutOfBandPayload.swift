import BackendAPI

/// What a QR code, a link or a push message brings: a token and where to redeem it, readable or encrypted.
///
/// It says nothing about whom it comes from. Descriptions of it leave the token out.
public struct OutOfBandPayload: Hashable, Sendable {
    /// What a payload is written in.
    public enum ContentType: String, Codable, Hashable, Sendable {
        /// Readable for whoever holds it.
        case json = "application/json"
        /// Encrypted to this device.
        case jose = "application/jose"
    }

    /// What has to be redeemed.
    public enum RedeemData: Hashable, Sendable {
        /// A token, and the address to redeem it at.
        case plain(token: String, redeemUrl: String)
        /// Only this device can read it, while the operation runs.
        case encrypted(String)
    }

    let content: OutOfBandEnvelope.Content

    init(_ envelope: OutOfBandEnvelope) { content = envelope.content }

    /// The version of the form; there is one.
    public var version: String { OutOfBandEnvelope.version }

    /// Whether the payload is readable.
    public var contentType: ContentType {
        switch content {
        case .plain: .json
        case .encrypted: .jose
        }
    }

    /// What has to be redeemed.
    public var redeemData: RedeemData {
        switch content {
        case .plain(let content): .plain(token: content.token, redeemUrl: content.redeemURL)
        case .encrypted(let token): .encrypted(token)
        }
    }

    /// What the sender added for the application, in a form of his choice; nil for nothing, and while it is encrypted.
    public var data: String? {
        if case .plain(let content) = content { content.attributes.data } else { nil }
    }
}

extension OutOfBandPayload: CustomStringConvertible, CustomReflectable {
    /// Version and content type.
    public var description: String { "OutOfBandPayload(version \(version), \(contentType.rawValue))" }

    /// Version and content type.
    public var customMirror: Mirror {
        Mirror(self, children: ["version": version, "contentType": contentType.rawValue])
    }
}

extension OutOfBandPayload.RedeemData: CustomStringConvertible, CustomReflectable {
    /// Nothing of the token.
    public var description: String { "RedeemData" }

    /// Nothing to look at.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
