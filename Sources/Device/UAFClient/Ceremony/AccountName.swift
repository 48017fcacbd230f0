import UAF

/// Rule for user names that an application passes in.
enum AccountName {
    /// Largest name in bytes of UTF-8.
    static let byteLimit = 128

    static func required(_ name: String?) throws(CeremonyFailure) -> UserName {
        guard let name else { throw .wrongUse(CeremonyFault.missingParameter("username")) }
        guard name.utf8.count <= byteLimit, !name.utf8.contains(0), let username = UserName(name) else {
            throw .wrongUse(CeremonyFault.invalidParameter("username"))
        }
        return username
    }
}
