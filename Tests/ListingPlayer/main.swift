import MobileAuthentication

// Plays listings of the documents against a server that runs; which ones, the first argument says:
//   ListingPlayer WHAT HOST CA USER [TEXT]
// TEXT is what a scan or a link has brought. It ends with 0 when everything in them worked.

let (what, host, authority, text) = (
    CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3], CommandLine.arguments[4]
)
var configuration = Configuration(idSuiteHostname: host)
configuration.additionalTrustedCertificates = [try Data(contentsOf: URL(filePath: authority))]
let person = Person(pin: "482915")
let guide = GuideListings(person: person)
let reference = ReferenceListings(person: person)

func openClient() async throws -> any MobileAuthenticationClient {
    try await MobileAuthenticationClientInitializer().configuration(configuration).perform()
}

switch what {
case "readme-register":
    _ = try await ReadmeListings().register(with: configuration, username: text, cookies: [], ui: person)
case "readme-confirm":
    try await ReadmeListings().confirm(text, on: try await openClient(), ui: person)
case "guide":
    try await guide.makeClient()
    let client = try await openClient()
    let user = KnownUser(id: text)
    try await guide.register(client, user, [])
    try await guide.signIn(client, user)
    try await guide.refresh("token", on: client)
    let operation = client.operations.authentication.username(text).authenticatorSelector(person)
    _ = try await guide.closure(operation).perform()
    try await guide.stream(client, text)
    try await guide.changePin(client, user)
    try await guide.signIn(client, user)
case "guide-redeem":
    let client = try await openClient()
    let payload = try client.operations.outOfBandPayloadDecode.base64UrlEncoded(text).perform()
    let message = try JSONDecoder().decode([String: String].self, from: try JSONEncoder().encode(payload))
    try require(try guide.decode(message, on: client) == payload, "a push message brings what a code does")
    try await guide.redeem(text, on: client, DeviceInformation(name: "phone"))
case "profile":
    try await reference.asyncForm(try await guide.profile(configuration), text)
case "reference-callbacks":
    try await reference.callbackForm(try await reference.makeClient(with: configuration), text)
case "reference-async":
    try await reference.asyncForm(try await openClient(), text)
default:
    throw ListingFailure(expectation: "a known listing is named")
}
let client = try await openClient()
print(client.deviceCapabilities.keyProtection, client.localData.accounts.map(\.username).joined(separator: ","))
for text in person.shown { print(text) }
