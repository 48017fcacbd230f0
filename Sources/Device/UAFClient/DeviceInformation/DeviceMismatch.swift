/// One thing in which this device and a server do not agree, as an application names it; compared byte by byte.
package enum DeviceMismatch: Sendable {
    /// Only the server has the credential; its KeyID is base64url.
    case credentialOnlyThere(keyID: String, aaid: String, ServerAddress)
    /// Only this device has the credential; its KeyID is base64url.
    case credentialOnlyHere(keyID: String, aaid: String, username: String, ServerAddress)
    case recordOnlyThere(String, ServerAddress)
    case recordOnlyHere(DeviceRecord.Link, ServerAddress)
    case name(there: String, here: String, ServerAddress)
    /// The push tokens differ; nil stands for none.
    case pushToken(there: String?, here: String?, ServerAddress)
}

extension DeviceMismatch: Hashable {
    package static func == (one: DeviceMismatch, other: DeviceMismatch) -> Bool { one.key == other.key }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }

    private struct Key: Hashable {
        let server: ServerAddress
        let texts: [[UInt8]?]

        init(_ server: ServerAddress, _ texts: [String?]) {
            self.server = server
            self.texts = texts.map { $0.map { Array($0.utf8) } }
        }
    }

    private var key: Key {
        switch self {
        case .credentialOnlyThere(let keyID, let aaid, let server): Key(server, ["remote credential", keyID, aaid])
        case .credentialOnlyHere(let keyID, let aaid, let username, let server):
            Key(server, ["local credential", keyID, aaid, username])
        case .recordOnlyThere(let identifier, let server): Key(server, ["remote record", identifier])
        case .recordOnlyHere(let link, let server): Key(server, ["local record", link.identifier, link.username])
        case .name(let there, let here, let server): Key(server, ["name", there, here])
        case .pushToken(let there, let here, let server): Key(server, ["token", there, here])
        }
    }
}
