#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Connection to a TPM, with its owner's authorisation where one is set.
///
/// ```swift
/// let chip = TPMConnection.environment  // The machine's, unless an administrator names another.
/// let daemon = TPMConnection("tabrmd:")
/// let owned = TPMConnection("device:/dev/tpmrm0", ownerAuthorization: ownerPassword)
/// ```
public struct TPMConnection: Sendable {
    /// The chip of this machine, through the resource manager of the kernel; the account has to be in the group `tss`.
    public static let system = TPMConnection()

    /// The chip that the environment names in `SIGNET_TCTI`, such as `tabrmd:`; ``system`` where it names none.
    ///
    /// It lets an administrator say where the chip of an application is, as other programs have it (`TPM2TOOLS_TCTI`,
    /// `TPM2OPENSSL_TCTI`). Programs that run with the rights of another account do not listen to it.
    public static var environment: TPMConnection {
        guard getuid() == geteuid(), getgid() == getegid(), let name = getenv("SIGNET_TCTI"), name.pointee != 0 else {
            return system
        }
        return TPMConnection(String(cString: name))
    }

    /// The name of the connection as the TPM2 software stack spells it (TCTI): `device:/dev/tpmrm0`, or
    /// `swtpm:path=SOCKET` for a TPM in software.
    public let name: String
    /// Limit of the indices in the chip's memory that the vaults of this account may take; further keys and vaults are
    /// refused with `KeyVaultError.hardwareFull`.
    ///
    /// A vault takes one, and each key with a counted secret another. ``TPMMemory`` tells which are taken.
    public var indexQuota = 32
    /// The mark on what is taken; tests put another account's in.
    package var account: [UInt8]?

    /// Whether the connection leads past any resource manager, so that what a killed program left stays in the chip.
    var isDirect: Bool {
        ["swtpm:", "mssim:", "libtpms:", "device:/dev/tpm"].contains(where: name.hasPrefix)
            && !name.hasPrefix(Self.system.name.dropLast())
    }

    /// The mark on what is taken of the memory of the chip.
    var tag: OwnerTag { account.map(OwnerTag.init) ?? .current }

    /// Directory of the register of the indices of this account; tests put another one in.
    package var stateDirectory = IndexRegister.standardDirectory

    /// The owner's authorisation; nil where it is empty.
    let owner: AuthorizationValue?

    /// Describes a connection to a chip without an owner's authorization, the usual case.
    public init(_ name: String = "device:/dev/tpmrm0") {
        self.name = name
        owner = nil
    }

    /// Describes a connection to a chip whose owner has set an authorisation; nil when it has more than 32 bytes.
    ///
    /// The bytes are copied; wiping the source is the caller's business. They appear in no log and no error.
    public init?(_ name: String, ownerAuthorization: some Collection<UInt8>) {
        guard let owner = AuthorizationValue(copying: ownerAuthorization) else { return nil }
        self.name = name
        self.owner = owner
    }
}
