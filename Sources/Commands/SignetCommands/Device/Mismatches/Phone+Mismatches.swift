import MobileAuthentication

extension Phone {
    /// In what this phone and its servers do not agree; throws when a server could not be asked.
    func mismatches() async throws -> [DeviceInformationMismatch] {
        let result = await client.operations.deviceInformationCheck.perform()
        if let error = result.errors.first { throw error }
        return result.mismatches
    }

    /// Mends mismatches; throws the first error, what could be mended is mended.
    func mend(_ mismatches: [DeviceInformationMismatch]) async throws {
        let result = await client.operations.deviceInformationSync.mismatches(mismatches).perform()
        if let error = result.errors.first { throw error }
        if let name = client.localData.deviceInformation?.name, name != settings.name { try folder.rename(to: name) }
    }
}
