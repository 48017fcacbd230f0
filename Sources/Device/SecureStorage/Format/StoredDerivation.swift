/// How the passphrase of a storage is derived, as the header records it: a code and three numbers.
enum StoredDerivation: Hashable, Sendable {
    /// No passphrase.
    case none
    /// A passphrase.
    case passphrase(SecureStorage.KeyDerivation)

    /// Takes what a header says; nil for codes that do not exist and for numbers where none belong.
    init?(code: UInt8, _ first: UInt32, _ second: UInt32, _ third: UInt32) {
        switch code {
        case 0 where first == 0 && second == 0 && third == 0: self = .none
        case 1: self = .passphrase(.argon2id(memoryKibibytes: first, passes: second, lanes: third))
        case 2: self = .passphrase(.scrypt(rounds: first, blockSize: second, parallelism: third))
        case 3 where second == 0 && third == 0: self = .passphrase(.pbkdf2SHA512(rounds: first))
        default: return nil
        }
    }

    var code: UInt8 {
        switch self {
        case .none: 0
        case .passphrase(.argon2id): 1
        case .passphrase(.scrypt): 2
        case .passphrase(.pbkdf2SHA512): 3
        }
    }

    var parameters: [UInt32] {
        switch self {
        case .none: [0, 0, 0]
        case .passphrase(.argon2id(let memory, let passes, let lanes)): [memory, passes, lanes]
        case .passphrase(.scrypt(let rounds, let blockSize, let parallelism)): [rounds, blockSize, parallelism]
        case .passphrase(.pbkdf2SHA512(let rounds)): [rounds, 0, 0]
        }
    }
}
