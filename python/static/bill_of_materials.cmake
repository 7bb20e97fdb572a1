# What the wheel has inside that is not ours, as CycloneDX (dist-info/sboms, PEP 770): names, versions and licences.
# Made while the build is configured, from the packages that it found.

# bill_of_materials(FILE NAME VERSION LICENCE URL ...)
function(bill_of_materials file)
  set(components "")
  set(rows ${ARGN})
  while(rows)
    list(POP_FRONT rows name version licence url)
    string(APPEND components "${separator}
    {
      \"type\": \"library\",
      \"name\": \"${name}\",
      \"version\": \"${version}\",
      \"bom-ref\": \"pkg:generic/${name}@${version}\",
      \"purl\": \"pkg:generic/${name}@${version}\",
      \"licenses\": [{\"license\": {\"id\": \"${licence}\"}}],
      \"externalReferences\": [{\"type\": \"website\", \"url\": \"${url}\"}]
    }")
    set(separator ",")
  endwhile()
  file(CONFIGURE OUTPUT ${file} CONTENT "{
  \"bomFormat\": \"CycloneDX\",
  \"specVersion\": \"1.6\",
  \"version\": 1,
  \"metadata\": {
    \"component\": {\"type\": \"library\", \"name\": \"torsor\", \"version\": \"${PROJECT_VERSION}\", \"bom-ref\": \"pkg:pypi/torsor@${PROJECT_VERSION}\"}
  },
  \"components\": [${components}
  ]
}
" @ONLY)
endfunction()

# version_in(OUT FILE REGEX...): the numbers that the expressions find in a header, with dots between
function(version_in out header)
  file(READ ${header} text)
  set(parts "")
  foreach(expression IN LISTS ARGN)
    string(REGEX MATCH "${expression}" found "${text}")
    list(APPEND parts ${CMAKE_MATCH_1})
  endforeach()
  list(JOIN parts "." version)
  set(${out} "${version}" PARENT_SCOPE)
endfunction()
