/// What holds the keys of a virtual device: chosen when it is made, and never changed for it.
package enum DeviceKeys: Hashable, Sendable {
    /// Files: whoever copies the folder has the keys.
    case software
    /// A TPM 2.0; the connection is named as the TPM2 software stack does it (TCTI), for example `device:/dev/tpmrm0`.
    case trustedPlatformModule(connection: String)

    /// The resource manager of the kernel.
    package static let systemConnection = "device:/dev/tpmrm0"
}
