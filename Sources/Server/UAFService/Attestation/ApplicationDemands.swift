import DeviceAttestation
import ServerCore

/// Demands on the application that responds, with the roots and the list of revoked certificates that they name.
///
/// They are part of the acceptance rules, so that what an operator revokes holds from the next response on.
struct ApplicationDemands: Sendable {
    var settings: AppAttestationSettings
    /// Roots of App Attest; nil takes no application of Apple's platforms.
    let appleRoots: TrustRoots?
    /// Roots of Android's key store; nil takes no application of Android.
    let androidRoots: TrustRoots?
    /// Serial numbers of revoked certificates of Android, hexadecimal.
    let revokedSerials: Set<String>

    /// Reads roots and list; throws ``ServerError/invalidSetting(name:)`` for those that cannot be read.
    init(_ settings: AppAttestationSettings) throws(ServerError) {
        self.settings = settings
        appleRoots = try settings.apple?.trustRoots()
        androidRoots = try settings.android?.trustRoots()
        revokedSerials = try settings.android?.revokedSerials() ?? []
    }

    /// The requirement on certificates of a key of Android; nil where none are taken.
    func androidRequirement(
        publicKey: [UInt8], challenge: [UInt8]?, at time: Timestamp
    ) -> AndroidRequirement? {
        guard let android = settings.android else { return nil }
        var requirement = AndroidRequirement(
            publicKey: publicKey, challenge: challenge,
            securityLevel: android.device.isStrongBoxRequired ? .strongBox : .trustedEnvironment)
        requirement.isVerifiedBootRequired = android.device.isVerifiedBootRequired
        requirement.isRollbackResistanceRequired = android.device.isRollbackResistanceRequired
        requirement.oldestPatchLevel = android.device.oldestPatchLevel(at: time)
        requirement.packages = android.packages
        requirement.signers = android.signers
        requirement.revokedSerials = revokedSerials
        return requirement
    }
}
