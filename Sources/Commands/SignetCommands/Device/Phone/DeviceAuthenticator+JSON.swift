import StrictJSON
import VirtualDevice

extension DeviceAuthenticator {
    /// The authenticator for programs.
    var json: JSONObject {
        JSONObject([
            "kind": .string(AuthenticatorChoice(kind).rawValue), "aaid": .string(aaid),
            "isSupportedByHardware": .bool(isSupportedByHardware), "isSupportedByOs": .bool(isSupportedByOs),
            "isEnrolled": .bool(isEnrolled),
            "accounts": .array(
                registrations.map { registration in
                    .object(
                        JSONObject([
                            "username": .string(registration.username), "server": .string(registration.server),
                            "isUsable": .bool(registration.isUsable),
                        ]))
                }),
        ])
    }
}
