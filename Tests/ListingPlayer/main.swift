import MobileAuthentication

// Plays listings of the documents against a server that runs; which ones, the first argument says:
//   ListingPlayer WHAT HOST CA USER [TEXT]
// TEXT is what a scan or a link has brought. It ends with 0 when everything in them worked.

let (what, host, authority, name) = (
    CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3], CommandLine.arguments[4]
)
let text = CommandLine.arguments.count > 5 ? CommandLine.arguments[5] : ""
let configuration = try SymbolListings.configuration(host, URL(filePath: authority))
let person = Person(pin: "482915")
let kiosk = Kiosk()

@MainActor
func openClient() async throws -> any MobileAuthenticationClient {
    // A folder that has begun with software keys goes on with them.
    try await MobileAuthenticationClientInitializer().configuration(configuration).keyVault(.preferHardware)
        .userPresence(kiosk).logger(WarningLogger()).perform()
}

if let play = DocumentPlay(rawValue: what) {
    try await play.run(name, text, with: configuration, by: person, on: kiosk, openClient)
} else if let play = ReferencePlay(rawValue: what) {
    try await play.run(name, text, with: configuration, by: person, openClient)
} else {
    throw ListingFailure(expectation: "a known listing is named")
}
let client = try await openClient()
print(client.deviceCapabilities.keyProtection, client.localData.accounts.map(\.username).joined(separator: ","))
for text in person.shown { print(text) }
