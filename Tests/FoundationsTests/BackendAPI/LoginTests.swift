import BackendAPI
import Octets
import Testing
import UAF

@Suite("Logins")
struct LoginTests {
    private func read(_ form: String) throws(BackendAPIError) -> (name: String, password: [UInt8]) {
        let login = try PasswordLogin(form: Array(form.utf8))
        return (login.userID.text, login.password.withUnsafeBytes { Array($0) })
    }

    @Test("A password form survives writing and reading, whatever it holds")
    func roundTrip() throws {
        for (name, password) in [("jeff", "pa ss+&=%"), ("Zoë", "密码\u{0}\n"), ("a@b.example", "")] {
            let login = PasswordLogin(
                userID: try #require(UserName(name)), password: SecretOctets(copying: Array(password.utf8)))
            let form = login.form()
            #expect(form.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            let back = try PasswordLogin(form: form)
            #expect(back.userID.text.hasSameOctets(as: name))
            #expect(back.password.withUnsafeBytes { Array($0) } == Array(password.utf8))
        }
    }

    @Test("A browser's form is read, fields of other names are ignored")
    func forms() throws {
        let login = try read("isiwebuserid=jeff+b&x=1&isiwebpasswd=a%26b%3dc")
        #expect(login.name == "jeff b" && login.password == Array("a&b=c".utf8))
    }

    @Test(
        "A missing, repeated or malformed field is refused",
        arguments: [
            "", "isiwebuserid=a", "isiwebpasswd=a", "isiwebuserid=&isiwebpasswd=b",
            "isiwebuserid=a&isiwebuserid=b&isiwebpasswd=c", "isiwebuserid=a&isiwebpasswd=b&isiwebpasswd=c",
            "isiwebuserid=a&isiwebpasswd=%", "isiwebuserid=a&isiwebpasswd=%4", "isiwebuserid=a&isiwebpasswd=%zz",
            "isiwebuserid=%ff&isiwebpasswd=b", "isiwebuserid=a%00&isiwebpasswd=b", "isiwebuserid=a b&isiwebpasswd=c",
            "isiwebuserid=é&isiwebpasswd=c", "isiwebuserid=a&isiwebpasswd=b&", "isiwebuserid&isiwebpasswd=b",
            "isiwebuserid=a\n&isiwebpasswd=b", #"{"isiwebuserid":"a"}"#,
        ])
    func refusedForms(form: String) {
        let error = #expect(throws: BackendAPIError.malformedForm) { try read(form) }
        #expect(error?.answer == .http(status: 400))
    }

    @Test("A form cut off at any byte is an error or another form, never a trap")
    func truncations() {
        let form = "isiwebuserid=Zo%C3%AB&isiwebpasswd=%25"
        for count in 0..<form.utf8.count { _ = try? read(String(form.prefix(count))) }
    }

    @Test("The FIDO login takes a bare name or a whole request")
    func fidoLogin() throws {
        let bare = try FIDOLogin(body: Array(#"{"username":"jeff"}"#.utf8))
        #expect(try bare.context().username?.text == "jeff")
        let request = GetUAFRequest(AuthenticationContext(username: UserName("jeff")))
        #expect(try FIDOLogin(body: request.body).context().username?.text == "jeff")
        #expect(try FIDOLogin(body: bare.body) == bare)
        #expect(FIDOLogin.request(request).body == request.body)
    }

    @Test("The FIDO login refuses other operations and mistyped names")
    func refusedFIDOLogins() throws {
        let registration = GetUAFRequest(RegistrationContext(username: try #require(UserName("jeff"))))
        #expect(throws: BackendAPIError.unexpectedOperation) { try FIDOLogin(body: registration.body).context() }
        for body in ["{}", #"{"username":1}"#, #"{"username":""}"#, "[]", #"{"context":"{}"}"#] {
            let error = #expect(throws: BackendAPIError.self) { try FIDOLogin(body: Array(body.utf8)) }
            #expect(error?.answer == .http(status: 400))
        }
    }

    @Test("The answer of the password login is written and read back")
    func answer() throws {
        let answer = PasswordLoginAnswer(status: PasswordLoginAnswer.succeeded, externalID: "ext-1")
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"status":"SUCCEEDED","extId":"ext-1"}"#)
        #expect(try PasswordLoginAnswer(body: answer.body) == answer)
    }
}
