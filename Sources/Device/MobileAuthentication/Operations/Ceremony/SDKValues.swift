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

package typealias UserConsent = KeyConsent<SDKValues>

package typealias OldAndNewSecret = SecretPair<SecretBytes>

package typealias UnlockOutcome = OldSecretOutcome<any OpenedSecret>
