package import Octets

/// Record of this installation that its servers hold, for all accounts together.
package struct DeviceRecord: Hashable, Sendable {
    /// Link between the record of one server and a user.
    package struct Link: Hashable, Sendable {
        /// The identifier that the server gave to its record.
        package let identifier: String
        package let username: String

        package init(identifier: String, username: String) {
            self.identifier = identifier
            self.username = username
        }
    }

    /// Name and push token, as this device gives them to servers.
    package struct Description: Hashable, Sendable {
        package let name: String
        package let pushToken: Sensitive<String>?

        package init(name: String, pushToken: Sensitive<String>?) {
            self.name = name
            self.pushToken = pushToken
        }
    }

    /// Knowledge of one server about this installation.
    package struct AtServer: Hashable, Sendable {
        /// The identifier of this installation for the server; nil for one that knows ``DeviceRecord/deviceID``.
        package let deviceID: String?
        /// The description that the server has kept while it refused a later one; nil where it has refused none.
        package let taken: Description?

        package init(deviceID: String?, taken: Description?) {
            self.deviceID = deviceID
            self.taken = taken
        }
    }

    package let description: Description
    /// The description that servers were given last, if some have refused it; nil where it is ``description``.
    package let wanted: Description?
    /// The identifier of this installation that servers of old registrations share; nil until the first registration.
    package let deviceID: String?
    /// The records that servers hold for this device.
    package let links: [Link]
    /// Knowledge of single servers, by ``ServerAddress/identity``.
    package let atServers: [String: AtServer]

    package init(
        name: String, pushToken: Sensitive<String>?, deviceID: String?, links: [Link],
        wanted: Description? = nil, atServers: [String: AtServer] = [:]
    ) {
        self.wanted = wanted
        description = Description(name: name, pushToken: pushToken)
        self.deviceID = deviceID
        self.links = links
        self.atServers = atServers
    }

    /// The description that a server was given last and has not refused.
    func description(at server: ServerAddress) -> Description {
        atServers[server.identity]?.taken ?? wanted ?? description
    }
}

/// The public keys of this installation for a server: points on P-256, uncompressed (X9.63, 65 bytes).
package struct DeviceServerKeys: Hashable, Sendable {
    package let server: ServerAddress
    /// Key that verifies signatures of the device.
    package let signing: [UInt8]
    /// Key that encrypts to the device.
    package let agreement: [UInt8]
    /// Thumbprint of ``agreement``, by which a payload names the key that opens it (RFC 7638, SHA-256, base64url); nil
    /// for a point that is none.
    package let agreementThumbprint: String?

    package init(server: ServerAddress, signing: [UInt8], agreement: [UInt8], agreementThumbprint: String?) {
        self.server = server
        self.signing = signing
        self.agreement = agreement
        self.agreementThumbprint = agreementThumbprint
    }
}

/// Description of a device that an application gives with a registration.
package protocol DeviceDescription: Sendable {
    /// Whether its texts are well-formed and short enough to be kept.
    var isStorable: Bool { get }
}
