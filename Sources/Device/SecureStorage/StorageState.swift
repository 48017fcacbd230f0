import HardwareKeys

/// In-memory state of a storage.
struct StorageState: Sendable {
    /// Credentials that open the file; none after `unload()`.
    var credentials: StorageCredentials
    /// The volatile layer; nil after `unload()`.
    var layer: VolatileLayer? {
        didSet {
            // Every put comes here, and a commit has no more than one summary: the layer is copied for another one only.
            guard newest?.generation != layer?.header.generation || newest?.storageID != layer?.header.storageID,
                let layer
            else { return }
            summary = StorageSummary(layer)
            newest = layer.header
        }
    }
    /// The last commit that was seen, which no older one follows; known also while nothing is in memory.
    private(set) var newest: StoreFileHeader?
    /// Protection of the storage, known also while it is not in memory; nil before it was loaded for the first time.
    private(set) var summary: StorageSummary?

    init(credentials: StorageCredentials) { self.credentials = credentials }

    /// The volatile layer, or the error for a storage that is not in memory.
    var loaded: VolatileLayer {
        get throws(SecureStorageError) {
            guard let layer else { throw .notLoaded }
            return layer
        }
    }
}

/// Protection of a storage, without any of its content.
struct StorageSummary: Sendable {
    let provider: KeyProvider
    let protection: SecureStorage.Protection
    let isAnchored: Bool
    private let vault: ProtectionStatement

    init(_ layer: VolatileLayer) {
        provider = layer.header.provider
        protection = layer.header.protection
        isAnchored = layer.header.anchor != 0
        vault = layer.vaultStatement
    }

    var statement: ProtectionStatement {
        let gate: ProtectionStatement.Enforcement = protection == .none ? .absent : vault.userGate
        let rollback: ProtectionStatement.Enforcement = isAnchored ? vault.rollbackDetection : .absent
        return ProtectionStatement(
            provider: provider, attemptCounting: .absent, userGate: gate, rollbackDetection: rollback,
            text: [Self.text(provider), Self.gateText(gate), Self.rollbackText(isAnchored), Self.rest].joined(
                separator: " "))
    }

    private static let rest = """
        An attacker who controls this user account while the storage is in memory can read it; a file that is deleted is gone.
        """

    private static func text(_ provider: KeyProvider) -> String {
        provider.isSecureHardware
            ? "The key that opens this storage is sealed by a chip of this device; a copy of the files is useless elsewhere."
            : "The key that opens this storage lies in a file of this user account; an attacker who copies both files can open it."
    }

    private static func gateText(_ gate: ProtectionStatement.Enforcement) -> String {
        switch gate {
        case .hardware: "The chip itself demands that the user is there."
        case .software: "This program asks whether the user is there; other programs of this account need not."
        case .absent: "The user need not be there."
        }
    }

    private static func rollbackText(_ isAnchored: Bool) -> String {
        isAnchored
            ? "An older copy of the file is refused, because a counter of the chip knows better."
            : "An older copy of the file is accepted."
    }
}

extension ProtectionStatement {
    static let beforeLoading = ProtectionStatement(
        provider: .software, attemptCounting: .absent, userGate: .absent, rollbackDetection: .absent,
        text: "The storage has not been opened.")
}
