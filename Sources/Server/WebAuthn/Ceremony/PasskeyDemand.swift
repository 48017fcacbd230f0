/// Strength of a demand of the relying party: that the user is verified, that the key can be found without a name.
package enum PasskeyDemand: String, Hashable, Sendable, CaseIterable {
    case required, preferred, discouraged
}
