import Octets
import UAF

/// Rules for the names of users.
enum AccountName {
    /// Largest name that an application passes in, in bytes of UTF-8.
    static let byteLimit = 128

    static func required(_ name: String?) throws(CeremonyFailure) -> UserName {
        guard let name else { throw .wrongUse(CeremonyFault.missingParameter("username")) }
        guard name.utf8.count <= byteLimit, !name.utf8.contains(0), let username = UserName(name) else {
            throw .wrongUse(CeremonyFault.invalidParameter("username"))
        }
        return username
    }

    /// The name that a server gives to a user; one that the application has given itself is taken as it is.
    static func readable(_ username: UserName, asked: String?) throws(CeremonyFailure) -> UserName {
        let isReadable = username.text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        guard isReadable || asked?.hasSameOctets(as: username.text) == true else {
            throw .fido(.protocolError, cause: CeremonyFault.unreadableUsername)
        }
        return username
    }
}
