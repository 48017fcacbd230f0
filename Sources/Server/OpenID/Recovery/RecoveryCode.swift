import Octets
package import ServerCore

/// Code with which a way back without a phone begins: 80 random bits as 16 characters in groups of four.
package struct RecoveryCode: Sendable, Hashable {
    /// Codes that a user has.
    package static let count = 8

    /// Digits and capital letters without 0, 1, I and O, which are taken for each other.
    private static let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ".utf8)
    private static let length = 16
    private static let groupLength = 4
    /// Longest text that is read, with blanks and hyphens.
    private static let textLimit = 64

    private let characters: [UInt8]

    package init(from random: some RandomSource) {
        characters = random.bytes(count: Self.length).map { Self.alphabet[Int($0) % Self.alphabet.count] }
    }

    /// Reads what a person has typed, in letters of either case, with blanks and hyphens; nil for what is no code.
    package init?(typed text: String) {
        guard text.utf8.count <= Self.textLimit else { return nil }
        let read = text.uppercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
        guard read.count == Self.length, read.allSatisfy(Self.alphabet.contains) else { return nil }
        characters = read
    }

    /// The code as it is shown.
    package var text: String {
        stride(from: 0, to: Self.length, by: Self.groupLength)
            .map { String(decoding: characters[$0..<$0 + Self.groupLength], as: UTF8.self) }.joined(separator: "-")
    }

    package var hash: RecoveryCodeHash { RecoveryCodeHash(of: characters) }
}
