import MobileAuthentication

extension PagePhone {
    func change(_ setting: PhonePageSetting) async throws(PhonePageRefusal) {
        guard !isBusy, accountChoice == nil else { throw .notNow }
        switch setting {
        case .rename(let name): try rename(to: name)
        case .changePIN: try changeSecret(isPassword: false)
        case .changePassword: try changeSecret(isPassword: true)
        case .deregister(let account): try deregister(account)
        case .lose: try await lose()
        }
    }

    /// Renames the phone here, and at the servers that know it.
    private func rename(to name: String) throws(PhonePageRefusal) {
        guard (1...PhonePageAction.nameLimit).contains(name.utf8.count) else { throw .malformed }
        let (client, ports) = (client, ports)
        try begin { _ in
            if client.localData.deviceInformation != nil {
                try await client.operations.deviceInformationChange.name(name).perform()
            }
            try ports.rename(to: name)
            return PhonePageNotice(.renamed, names: [name])
        }
    }

    /// Changes the secret of the only account that has one, or lets the person choose the account.
    private func changeSecret(isPassword: Bool) throws(PhonePageRefusal) {
        let names = enrolled(isPassword ? .Password : .Pin)
        guard let only = names.first else { throw .notNow }
        guard names.count > 1 else { return try changeSecret(of: only, isPassword: isPassword) }
        accountChoice = PhonePageAccountChoice(isAboutPassword: isPassword, names: names)
        changed()
    }

    /// Changes the PIN or the password of an account; no server takes part.
    func changeSecret(of name: String, isPassword: Bool) throws(PhonePageRefusal) {
        let client = client
        try begin { questions in
            if isPassword {
                try await client.operations.passwordChange.username(name).interactions(questions).perform()
            } else {
                try await client.operations.pinChange.username(name).interactions(questions).perform()
            }
            return PhonePageNotice(.secretChanged, names: [name])
        }
    }

    private func enrolled(_ kind: AuthenticatorAaid) -> [String] {
        client.localData.authenticators.filter { AuthenticatorAaid(rawValue: $0.aaid) == kind }
            .flatMap { $0.registration.registeredAccounts.map(\.username) }
    }

    /// Removes an account from server and phone, with the key of the device as right, so that a locked PIN is no
    /// obstacle; a server that does not know the device wants an authentication first.
    private func deregister(_ number: Int) throws(PhonePageRefusal) {
        let accounts = client.localData.accounts
        guard accounts.indices.contains(number) else { throw .malformed }
        let (client, name) = (client, accounts[number].username)
        try begin { questions in
            do {
                try await client.operations.deregistration.username(name)
                    .authorizationProvider(JwsAuthorizationProvider()).perform()
            } catch OperationError.UserNotRegisteredInServer {
                let right = try await client.operations.authentication.username(name).interactions(questions).perform()
                let operation = client.operations.deregistration.username(name)
                if let right { operation.authorizationProvider(right) }
                try await operation.perform()
            }
            return PhonePageNotice(.deregistered, names: [name])
        }
    }

    /// Deletes every key here, as if the phone were gone; no server is told.
    private func lose() async throws(PhonePageRefusal) {
        isLost = true
        let names = client.localData.accounts.map(\.username)
        for name in names { try? await client.localData.removeAuthenticator(username: name, aaid: nil) }
        ports.lose()
        pending = []
        notice = PhonePageNotice(.lost)
        changed()
    }
}
