import HardwareKeys

/// Keys that a vault has opened once, and which files they open beside that one.
struct KnownKeys: Sendable {
    let keys: StoreKeys
    let vaultStatement: ProtectionStatement
    private let wrap: WrapSection
    private let context: [UInt8]

    init(of layer: VolatileLayer) {
        keys = layer.keys
        vaultStatement = layer.vaultStatement
        wrap = layer.wrap
        context = layer.header.wrapContext
    }

    /// Whether they open a file, which is then another commit of the same storage.
    func fit(_ file: StoreFile) -> Bool { file.wrap == wrap && file.header.wrapContext == context }
}
