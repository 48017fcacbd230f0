package import UAFClient

/// Types of the SDK that the machines of `UAFClient` carry without looking into them.
package enum SDKValues: CarriedValues {
    package typealias Secret = SecretBytes
    package typealias Presence = PresenceRequest
    package typealias Authorization = any AuthorizationProvider
    package typealias Opened = any OpenedSecret
    package typealias Description = DeviceInformation
    package typealias Sealed = SealedPayload
    package typealias Link = RedeemURL
}

/// Consent with which an authenticator of the SDK makes or uses a key.
package typealias UserConsent = KeyConsent<SDKValues>

/// Secrets that a user entered to replace one by the other.
package typealias OldAndNewSecret = SecretPair<SecretBytes>

/// Result of checking an old secret.
package typealias UnlockOutcome = OldSecretOutcome<any OpenedSecret>
