import HardwareKeys

/// Indices of a chip that the vaults of an account need.
struct IndexNeeds {
    private var vaults: [UInt32: String] = [:]
    private let lines: [IndexRegister.Line]
    /// Registered directories whose needs are unknown, so that they may need all that was made for them.
    private var unreadable: Set<String> = []

    /// Reads the vaults in some directories, and those that a register names.
    ///
    /// Throws `KeyVaultError.damaged` when one of the former cannot be read, and the cases for files.
    init(ofVaultsIn directories: [String], and register: IndexRegister) throws(KeyVaultError) {
        lines = register.lines()
        for directory in directories { try add(directory) }
        for directory in Set(lines.map(\.directory)) {
            do throws(KeyVaultError) {
                try add(directory)
            } catch {
                unreadable.insert(directory)
            }
        }
    }

    private mutating func add(_ directory: String) throws(KeyVaultError) {
        for entry in try VaultFiles(in: directory, of: PosixFileSystem()).neededIndices()
        where vaults[entry.number] == nil {
            vaults[entry.number] = directory
        }
    }

    /// Owner of an index of the kinds that vaults make.
    func owner(of number: UInt32, withPolicy policy: [UInt8], _ tag: OwnerTag) -> TPMIndex.Owner {
        if let directory = vaults[number] { return .vault(directory) }
        let places = lines.filter { $0.number == number && $0.policy.octets == policy }.map(\.directory)
        if let place = places.first(where: unreadable.contains) { return .vault(place) }
        if let place = places.last { return .orphan(place) }
        return tag.marks(number, withPolicy: policy) ? .unregistered : .other
    }
}
